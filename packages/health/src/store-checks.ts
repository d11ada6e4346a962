export interface Pingable {
  ping(): Promise<unknown>;
}

export type StoreState = 'up' | 'down';

/** A store that is silent for longer is as good as down to whoever waits for the answer. */
const answerWithinMs = 1_000;

/** Asks all stores at once and answers under their names. Never rejects. */
export async function storeChecks<Name extends string>(stores: Readonly<Record<Name, Pingable>>): Promise<Record<Name, StoreState>> {
  const names = Object.keys(stores) as Name[];
  const states = await Promise.all(names.map((name) => stateOf(stores[name])));
  return Object.fromEntries(names.map((name, index) => [name, states[index]])) as Record<Name, StoreState>;
}

async function stateOf(store: Pingable): Promise<StoreState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), answerWithinMs);
  });
  try {
    return await Promise.race([
      store.ping().then(
        () => 'up' as const,
        () => 'down' as const,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
