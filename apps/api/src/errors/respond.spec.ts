import { describe, expect, it } from '@jest/globals';
import { errorTraits } from '@berth/schema';
import { errorBody, toApiError } from './respond.js';

describe('toApiError', () => {
  it.each([new Error('column "sealed" does not exist'), new TypeError('x is undefined'), 'text', undefined, { status: 200 }])(
    'Errors 10, D8: what nobody foresaw (%p) is 500 internal_error, with nothing of it in the body',
    (thrown) => {
      const error = toApiError(thrown);
      expect([errorTraits(error.code).status, errorBody(error), error.cause]).toEqual([
        500,
        { code: 'internal_error', message: 'Something went wrong inside. The request id in the X-Request-Id header finds it in the log.' },
        thrown,
      ]);
    },
  );
});
