import { defineConfig } from 'vitest/config';
import { testsOf } from './tests/tiers.ts';

export default defineConfig({ test: testsOf('full') });
