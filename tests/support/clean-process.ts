import { afterAll, vi } from 'vitest';

/**
 * After each test file: the next one in this process must find it as it was, also when a test failed half
 * way.
 */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
