/** Known now, or still to be loaded. */
export type Soon<T> = T | Promise<T>;

/**
 * Goes on at once with what is known: awaiting it all the same would cost every request a turn of the queue for each step of the corridor.
 */
export function then<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
