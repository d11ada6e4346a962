/**
 * Makes the ids of a process's requests (D8, `X-Request-Id`): the caller's when it is harmless in a header and a log, else a new one.
 * `prefix`: 14 characters that no other process has, beginning with a letter; with a number behind it a new id has the form of every id
 * (D1), and costs less than one made of hashes.
 */
export function requestIds(prefix: string): (given: string | string[] | undefined) => string {
  let made = 0;
  return (given) => {
    if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given)) return given;
    made += 1;
    return prefix + made.toString(36).padStart(10, '0');
  };
}
