import { describe, expect, it } from '@jest/globals';
import { type Endpoint, endpoints } from './index.js';
import { guides } from './guides.js';

const documented = Object.entries(guides) as [keyof typeof endpoints, { readonly description: string; readonly example?: object }][];

describe('guides', () => {
  it.each(documented.filter(([name]) => 'body' in endpoints[name]))(
    'D8: the example of %s is taken as it is, whole',
    (name, { example }) => {
      const { body }: Endpoint = endpoints[name];
      expect(body?.safeParse(example)).toMatchObject({ success: true, data: example });
    },
  );
});
