import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CONTRACT_TOOLS, FILTER_METRICS } from './contract-facts.ts';

const CONTRACT = fileURLToPath(new URL('../../../shared/spec/contract.md', import.meta.url));

/** The contract is not part of this repository; where it stands beside it, our facts must be its facts. */
describe.skipIf(!existsSync(CONTRACT))(
  'contract.md (skipped where it does not stand beside the repository)',
  () => {
    const contract = existsSync(CONTRACT) ? readFileSync(CONTRACT, 'utf8') : '';
    const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');

    it('names the tools, groups, permissions and arguments that our facts name', () => {
      const rows = [
        ...contract.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
      ];
      expect(rows.map(([, name]) => name)).toEqual(Object.keys(CONTRACT_TOOLS));
      for (const [, name = '', group = '', permission = '', further = '', output = ''] of rows) {
        const facts = CONTRACT_TOOLS[name];
        expect(facts?.group).toBe(group);
        expect(facts?.permission ?? 'none').toBe(permission.replaceAll('`', ''));
        for (const argument of codes(further)) expect(facts?.arguments, name).toContain(argument);
        if (facts?.rows) expect(output).toContain(`${facts.rows}: [`);
      }
    });

    it('allows in filter_metrics the metrics that our facts allow', () => {
      const row = /^\| `metric` \|.*Allowed values: (.*)\. \|$/m.exec(contract);
      expect(codes(row?.[1] ?? '')).toEqual(FILTER_METRICS);
    });

    it('names every field that our facts name', () => {
      const known = new Set(codes(contract));
      for (const facts of Object.values(CONTRACT_TOOLS)) {
        for (const field of facts.fields) expect(known).toContain(field);
      }
    });

    it('has the limits and defaults of paging that the tools have', () => {
      expect(contract).toMatch(/`limit` maximum \| same tools \| 1000/);
      expect(contract).toMatch(/`limit` default \| same tools \| 10 /);
      expect(contract).toMatch(/`limit` minimum \|[^|]*\| 1 /);
      expect(contract).toMatch(/`offset` default \| same tools \| 0 /);
    });
  },
);
