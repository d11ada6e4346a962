import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from './sentences.js';

describe('sentencesOf', () => {
  const headings = ['Verify it’s you', 'We sent a code to +1 ••• 42'];

  it('D58: menu and heading that run into a sentence are no part of it', () => {
    const text = 'Tidewater Accounts Savings Business Verify it’s you We sent a code to j***@m***.example. Enter it below. Code Continue';
    expect(sentencesOf(text, { headings })).toEqual(['We sent a code to j***@m***.example.', 'Enter it below.', 'Code Continue']);
  });

  it('D58: a heading that says it all stays', () => {
    expect(sentencesOf('Home Help We sent a code to +1 ••• 42', { headings })).toEqual(['We sent a code to +1 ••• 42']);
  });

  it('D58: without spaces between sentences, as in Japanese, they are sentences all the same; what is too long to read is left out', () => {
    expect(sentencesOf('コードを送信しました。入力してください。', { headings: [] })).toEqual([
      'コードを送信しました。',
      '入力してください。',
    ]);
    expect(sentencesOf(`${'x'.repeat(301)}. Short.`, { headings: [] })).toEqual(['Short.']);
  });
});
