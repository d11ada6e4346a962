import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { describeSettings } from './index.js';

describe('README', () => {
  it('D52: its table lists every setting with its default and meaning', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    for (const { name, value, description } of describeSettings({})) {
      const shown = value === null ? '' : `\`${value === '' ? ' ' : value}\``;
      expect(readme).toContain(`| \`${name}\` | ${shown} | ${description.replaceAll('|', '\\|')} |`);
    }
  });
});
