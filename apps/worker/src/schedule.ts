/**
 * Runs `work` every `everyMs`, never twice at once; faults are told and do not end it. @returns how to stop, resolving when the last run is
 * over.
 */
export function every(everyMs: number, work: () => Promise<unknown>, onError: (error: unknown) => void): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const plan = (): void => {
    timer = setTimeout(() => {
      last = work()
        .catch(onError)
        .finally(() => {
          if (!stopped) plan();
        });
    }, everyMs);
  };
  plan();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await last;
  };
}
