/**
 * ln Γ(x), for x > 0; good to 14 digits.
 *
 * Stirling's series (DLMF 5.11.1) from x = 10 on; below, Γ(x + 1) = x Γ(x) leads there.
 */
export function logGamma(x: number): number {
  let argument = x;
  let product = 1;
  while (argument < 10) {
    product *= argument;
    argument += 1;
  }
  const inverse = 1 / argument;
  const square = inverse * inverse;
  const series =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188)))));
  return (
    (argument - 0.5) * Math.log(argument) -
    argument +
    0.5 * Math.log(2 * Math.PI) +
    series -
    Math.log(product)
  );
}
