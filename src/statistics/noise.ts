import { createHmac } from 'node:crypto';

/** A draw of the standard normal distribution: always the same for the same text. */
export type Noise = (text: string) => number;

/** Draws that nobody can tell from chance who does not have the key. */
export function noiseUnder(key: string): Noise {
  return (text) => {
    const digest = createHmac('sha256', key).update(text).digest();
    const [one, other] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)].map(
      (number) => (number + 1) / 2 ** 48,
    ) as [number, number];
    // Box and Muller's way from two even draws to a normal one.
    return Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  };
}
