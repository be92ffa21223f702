/**
 * A text without accents and other marks, its letters decomposed.
 *
 * TRICKY: the marks go before it is decomposed too, since `normalize` sorts those of one letter, which takes
 * the square of their number.
 */
export function withoutAccents(text: string): string {
  return text.replace(/\p{M}/gu, '').normalize('NFD').replace(/\p{M}/gu, '');
}
