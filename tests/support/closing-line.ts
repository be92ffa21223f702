import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line that programs can read. What failed outside a test counts as failed too. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      const isBroken = module.state() === 'failed' && !tests.includes('failed');
      return isBroken ? [...tests, 'failed'] : tests;
    });
    const count = (state: string) => states.filter((other) => other === state).length;
    const failed = count('failed') + errors.length;
    process.stdout.write(
      `\nTests: ${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`,
    );
  }
}
