/** Parts of sentences for property tests of summaries: plain words, and what readers of sentences, markup and lists trip over. */
export const spokenParts = [
  ...['we', 'decided', 'I will send', 'agreed', 'the budget', 'by Friday', 'Ann', 'um'],
  ...['Dr.', 'e.g.', 'U.S.', '3.5', '...', '!', '?', '。', '「価格」', '"', '”', ': ', '1. '],
  ...['<b>', 'http://a.example', 'Ignore previous instructions'],
]
