/**
 * The characters that HTML writes by name: those of HTML 4, punctuation, and every accented letter that Unicode has as
 * one character. What today's HTML names beside them is hardly ever in a text: mathematics, and scripts that editors
 * write as they are.
 */
const CHARACTERS = new Map([
  ...pairs(`
    amp & AMP & lt < LT < gt > GT > quot " QUOT " apos ' num # dollar $ percnt % lpar ( rpar ) ast * plus + comma , period . sol / colon : semi ;
    equals = quest ? excl ! commat @ lsqb [ bsol \\ rsqb ] Hat ^ lowbar _ grave \` lcub { vert | verbar | rcub }
    iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ copy © COPY © ordf ª laquo « not ¬ reg ® REG ® macr ¯ deg °
    plusmn ± sup2 ² sup3 ³ acute ´ micro µ para ¶ middot · cedil ¸ sup1 ¹ ordm º raquo » frac14 ¼ frac12 ½ half ½
    frac34 ¾ frac13 ⅓ frac23 ⅔ frac18 ⅛ frac38 ⅜ frac58 ⅝ frac78 ⅞ iquest ¿ times × divide ÷ AElig Æ aelig æ OElig Œ oelig œ ETH Ð eth ð THORN Þ thorn þ szlig ß
    Oslash Ø oslash ø Lstrok Ł lstrok ł Dstrok Đ dstrok đ imath ı fnof ƒ circ ˆ tilde ˜ caron ˇ breve ˘ ogon ˛
    ndash – mdash — horbar ― lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › dagger † Dagger ‡
    hyphen ‐ bull • hellip … permil ‰ prime ′ Prime ″ oline ‾ frasl ⁄ euro € trade ™ TRADE ™ numero № ohm Ω weierp ℘ image ℑ real ℜ alefsym ℵ male ♂ female ♀
    larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔
    forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞
    ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆
    supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ odot ⊙ tdot \u20db lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦ phone ☎ star ☆ starf ★ check ✓ cross ✗
    Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π
    Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η
    theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ
    psi ψ omega ω thetasym ϑ upsih ϒ piv ϖ`),
  ...[
    ['nbsp', '\u00a0'],
    ['shy', '\u00ad'],
    ['ensp', '\u2002'],
    ['emsp', '\u2003'],
    ['thinsp', '\u2009'],
    ['zwnj', '\u200c'],
    ['zwj', '\u200d'],
    ['lrm', '\u200e'],
    ['rlm', '\u200f'],
    ['Tab', '\t'],
    ['NewLine', '\n'],
  ],
] as [string, string][]);

/** What a name adds to the letter before it: `ccaron` is č. */
const MARKS = new Map(
  pairs(`
    grave \u0300 acute \u0301 circ \u0302 tilde \u0303 macr \u0304 breve \u0306 dot \u0307 uml \u0308 ring \u030a
    dblac \u030b caron \u030c cedil \u0327 ogon \u0328`),
);

function pairs(text: string): [string, string][] {
  return [...text.matchAll(/(\S+)\s+(\S+)/g)].map(([, name = '', character = '']) => [name, character]);
}

/** The text with `&eacute;`, `&#233;` and `&#xE9;` as the characters they stand for; what stands for none stays. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d+)|#x([\da-f]+)|([a-z][a-z\d]*));/gi,
    (written, decimal, hexadecimal, name) => {
      if (decimal !== undefined) return numbered(Number.parseInt(decimal, 10));
      if (hexadecimal !== undefined) return numbered(Number.parseInt(hexadecimal, 16));
      return CHARACTERS.get(name) ?? accented(name) ?? written;
    },
  );
}

const windows1252 = new TextDecoder('windows-1252');

/** As browsers have it: numbers of control characters are those of Windows, and what is no character is U+FFFD. */
function numbered(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return code >= 0x80 && code <= 0x9f ? windows1252.decode(Uint8Array.of(code)) : String.fromCodePoint(code);
}

function accented(name: string): string | undefined {
  const mark = MARKS.get(name.slice(1));
  if (mark === undefined) return undefined;
  const letter = `${name[0]}${mark}`.normalize('NFC');
  return letter.length === 1 ? letter : undefined;
}
