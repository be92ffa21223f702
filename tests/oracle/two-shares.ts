// Two shares compared, from the definitions: the score interval of Miettinen and Nurminen, Fisher's exact
// test, and how many it takes to see a difference. By bisection, for numbers of any test.
import { normalTailsOf } from './integrals.ts';

export type Share = { successes: number; trials: number };

/** The bound between which and `inside` a value lies where the condition changes. */
function changeBetween(inside: number, outside: number, holds: (value: number) => boolean): number {
  let [yes, no] = [inside, outside];
  if (holds(no)) return no;
  for (let step = 0; step < 200; step += 1) {
    const middle = (yes + no) / 2;
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return (yes + no) / 2;
}

/** The value beyond which a normal variable lies, on both sides together, with this probability. */
function normalQuantile(tails: number): number {
  return changeBetween(0, 40, (z) => normalTailsOf(z) > tails);
}

/** z² of Miettinen and Nurminen (1985): the shares are the likeliest ones that differ by `difference`. */
function score(first: Share, second: Share, difference: number): number {
  const [m, n] = [first.trials, second.trials];
  const likelihood = (share: number) => {
    const term = (count: number, p: number) => (count === 0 ? 0 : count * Math.log(p));
    return (
      term(first.successes, share + difference) +
      term(m - first.successes, 1 - share - difference) +
      term(second.successes, share) +
      term(n - second.successes, 1 - share)
    );
  };
  let [low, high] = [Math.max(0, -difference), Math.min(1, 1 - difference)];
  // The likelihood is concave.
  for (let step = 0; step < 300; step += 1) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (likelihood(left) < likelihood(right)) low = left;
    else high = right;
  }
  const share = (low + high) / 2;
  const other = share + difference;
  const variance = ((other * (1 - other)) / m + (share * (1 - share)) / n) * ((m + n) / (m + n - 1));
  const distance = first.successes / m - second.successes / n - difference;
  if (Math.abs(distance) < 1e-12) return 0;
  return variance <= 0 ? Number.POSITIVE_INFINITY : distance ** 2 / variance;
}

/** The differences that the score test at a level does not reject. */
export function scoreInterval(first: Share, second: Share, level = 0.05): [low: number, high: number] {
  const most = normalQuantile(level) ** 2;
  const seen = first.successes / first.trials - second.successes / second.trials;
  const isPossible = (difference: number) => score(first, second, difference) <= most;
  return [changeBetween(seen, -1, isPossible), changeBetween(seen, 1, isPossible)];
}

export function scorePValue(first: Share, second: Share): number {
  return normalTailsOf(Math.sqrt(score(first, second, 0)));
}

/** Both sides of the exact test: all tables with the same sums that are not more likely than the one seen. */
export function exactPValue(first: Share, second: Share): number {
  const all = first.successes + second.successes;
  const probability = (count: number) =>
    Math.exp(
      logChoose(first.trials, count) +
        logChoose(second.trials, all - count) -
        logChoose(first.trials + second.trials, all),
    );
  const seen = probability(first.successes) * (1 + 1e-9);
  let sum = 0;
  for (let count = Math.max(0, all - second.trials); count <= Math.min(first.trials, all); count += 1) {
    if (probability(count) <= seen) sum += probability(count);
  }
  return Math.min(1, sum);
}

function logChoose(of: number, count: number): number {
  let log = 0;
  for (let factor = 1; factor <= count; factor += 1) log += Math.log((of - count + factor) / factor);
  return log;
}

/**
 * The size of each group that shows such shares differ with a power of 80 % at a level, both sides together.
 */
export function neededPerGroup(one: number, other: number, level = 0.05, power = 0.8): number {
  const [za, zb] = [normalQuantile(level), normalQuantile(2 * (1 - power))];
  const mean = (one + other) / 2;
  const spread =
    za * Math.sqrt(2 * mean * (1 - mean)) + zb * Math.sqrt(one * (1 - one) + other * (1 - other));
  return Math.ceil(spread ** 2 / (one - other) ** 2);
}

export function isExactNeeded(first: Share, second: Share): boolean {
  const trials = first.trials + second.trials;
  const successes = first.successes + second.successes;
  return [first.trials, second.trials].some((size) =>
    [successes, trials - successes].some((count) => (size * count) / trials < 5),
  );
}
