/**
 * Texts with which a stranger may make a program work long: one part again and again. As the second form it
 * begins with a quotation mark that is never closed, and ends with what fits nowhere, so that whatever is
 * looked for up to the end of the text fails there.
 */
const PARTS: readonly string[] = [
  ...[
    ' ',
    '\t',
    '\r\n',
    '\n',
    '\u00a0',
    '0',
    '1 ',
    '(1',
    '+420 ',
    '+1',
    '00420',
    '601 234 567 ',
    '2026-01-01 ',
  ],
  ...['@', 'a@b.', 'a@b.cz ', '"@', '"a"@b.cz ', 'a (at) ', 'a.', 'a-', '_', 'a_b', '~', 'A1', '~a'],
  ...['"', '""', "'", '\\', '\\"', '(', ')', '() ', '[', ']', '{', '{"a":', '[{', '{{', '*|', '%%a', '[("'],
  ...['%', '%41', '%2540', '&', '&amp;', '&#64;', '&#', '\\u0040', '='],
  ...['<', '>', '<!--', '</a', '<a href="?a=', '<a>', '<!', '<?', '<b a=', ']]>'],
  ...['/', '//', '?', '?a=b&', '#', ';', ',', ',"', ':', '*', '.', '-', '+', '|', '- a: ', 'a: ', '&a '],
  ...[
    '\u0301',
    '\u0316\u0301',
    'e\u0301',
    '\u00e9',
    '\u200b',
    '\u202e',
    '\u05d0',
    '\ud83d',
    '\u{1f469}\u200d',
    '\u0661 ',
  ],
  ...['http://a', 'https://a.cz/?q=a@b.cz&', 'utm_a=1&', 'tel:1', 'T1Z'],
];

const FORMS = [
  { before: '', after: '' },
  { before: '"x', after: 'x!' },
];

export interface HostileText {
  readonly name: string;
  ofLength(length: number): string;
}

export const HOSTILE_TEXTS: readonly HostileText[] = PARTS.flatMap((part) =>
  FORMS.map(({ before, after }) => ({
    name: `${before}${JSON.stringify(part)} again and again${after}`,
    ofLength: (length: number) => before + part.repeat(Math.ceil(length / part.length)) + after,
  })),
);
