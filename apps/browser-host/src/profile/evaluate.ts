import type { CdpSession } from '../chromium/cdp-session.js';

interface Answer<R> {
  readonly result: { readonly value: R };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** The expression that calls a self-contained function. */
export const callOf = <A, R>(script: (argument: A) => Promise<R>, argument: A): string =>
  `(${script.toString()})(${JSON.stringify(argument)})`;

/** The value of an expression in a page, awaited; in the page's own world, or in the one named. @throws what the expression throws. */
export async function evaluate<R>(page: CdpSession, expression: string, contextId?: number): Promise<R> {
  const { result, exceptionDetails } = await page.send<Answer<R>>('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
    ...(contextId !== undefined && { contextId }),
  });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
