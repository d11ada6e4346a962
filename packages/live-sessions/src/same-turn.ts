/** So many are sent as one at most: about half a millisecond of Redis, which other tenants wait for. */
const MOST_AT_ONCE = 100;

interface Call<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends calls of one key that are made in the same turn of the event loop as one, in the order they were made: a burst costs one command,
 * not one each. A lone call is sent in its own turn, so nobody waits for company.
 */
export class SameTurn<Item, Answer> {
  readonly #open = new Map<string, Call<Item, Answer>[]>();
  #batches: Call<Item, Answer>[][] = [];

  /** `send` answers one for each item, in their order; when it fails, so does every call it was made for. */
  constructor(private readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>) {}

  ask(key: string, item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const batch = this.#open.get(key) ?? this.#begin(key);
      if (batch.push({ item, resolve, reject }) === MOST_AT_ONCE) this.#open.delete(key);
    });
  }

  #begin(key: string): Call<Item, Answer>[] {
    const batch: Call<Item, Answer>[] = [];
    // After all promise callbacks of this turn: those that the last answers woke have asked by then.
    if (this.#batches.push(batch) === 1) process.nextTick(this.#sendAll);
    this.#open.set(key, batch);
    return batch;
  }

  readonly #sendAll = (): void => {
    const batches = this.#batches;
    this.#batches = [];
    this.#open.clear();
    for (const batch of batches) this.#send(batch);
  };

  #send(batch: readonly Call<Item, Answer>[]): void {
    const failed = (error: unknown): void => batch.forEach(({ reject }) => reject(error));
    try {
      this.send(batch.map(({ item }) => item)).then((answers) => batch.forEach(({ resolve }, index) => resolve(answers[index]!)), failed);
    } catch (error) {
      failed(error);
    }
  }
}
