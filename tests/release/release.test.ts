import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deprecatedUntil, released, releases, unreleased } from '../../scripts/release/changelog.ts';
import { type Candidate, planRelease } from '../../scripts/release/plan-release.ts';
import { type Part, type Surface, surfaceOf } from '../../scripts/release/surface.ts';
import { CATALOGUE } from '../../src/catalogue.ts';

const part = (kind: string, more: Partial<Part> = {}): Part => ({ kind, meaning: '1', ...more });

const BEFORE: Surface = {
  sales: {
    meaning: '1',
    arguments: { day: part('date', { required: true }), by: part('string', { values: ['day', 'week'] }) },
    fields: { revenue: part('number, currency'), state: part('choice', { values: ['open', 'paid'] }) },
  },
  visits: { meaning: '1', arguments: {}, fields: { count: part('integer') } },
};

const CHANGELOG = `# Changelog

Words.

## Unreleased

### Numbers

- Something.

## 1.2.0 (2026-03-01)

### Deprecated

- \`visits\`: ask \`sales\`.
- \`sales.state\`: nobody knew it.

### Files

- \`sales.revenue\` is read of more files.

## 1.1.0 (2025-12-01)

### Files

- More.
`;

function plan(after: Surface, changes: Partial<Candidate> = {}) {
  const before = { version: '1.2.0', surface: BEFORE };
  return planRelease({
    changelog: CHANGELOG,
    surface: after,
    before,
    version: '1.3.0',
    day: '2026-11-27',
    ...changes,
  });
}

/** The surface before with another `sales`. */
function withSales(change: (sales: NonNullable<Surface['sales']>) => object): Surface {
  const { sales } = structuredClone(BEFORE) as { sales: NonNullable<Surface['sales']> };
  return { ...BEFORE, sales: { ...sales, ...change(sales) } };
}

describe('the changelog', () => {
  it('gives its unreleased part a version and a day, and begins anew above it', () => {
    expect(unreleased(CHANGELOG)).toBe('### Numbers\n\n- Something.');
    const after = released(CHANGELOG, '1.3.0', '2026-11-27');
    expect(after).toContain(
      'Words.\n\n## Unreleased\n\n## 1.3.0 (2026-11-27)\n\n### Numbers\n\n- Something.\n\n## 1.2.0',
    );
    expect(unreleased(after)).toBe('');
    expect(releases(after).map(({ version }) => version)).toEqual(['1.3.0', '1.2.0', '1.1.0']);
    expect(after.replace('## 1.3.0 (2026-11-27)\n\n', '')).toBe(CHANGELOG);
  });

  it('knows what was deprecated until a day, and nothing else in backquotes', () => {
    expect([...deprecatedUntil(CHANGELOG, '2026-03-01')]).toEqual(['visits', 'sales.state']);
    expect([...deprecatedUntil(CHANGELOG, '2026-02-28')]).toEqual([]);
  });

  it('can be released for this repository, and loses nothing', () => {
    const own = readFileSync('CHANGELOG.md', 'utf8');
    expect(unreleased(own)).toMatch(/^(### |$)/);
    const after = released(own, '99.0.0', '2026-11-27');
    expect(after.replace('## 99.0.0 (2026-11-27)\n\n', '').trim()).toBe(own.trim());
  });
});

describe('a release', () => {
  it('says so when the tools are the same, and has a tag', () => {
    const { tag, notes, problems } = plan(BEFORE);
    expect({ tag, problems }).toEqual({ tag: 'v1.3.0', problems: [] });
    expect(notes).toBe('### Numbers\n\n- Something.\n\n### Tools\n\n`tools/list` is the same as in 1.2.0.');
  });

  it('names what is new, and wants the second number to grow', () => {
    const more = withSales(({ fields }) => ({ fields: { ...fields, tax: part('number') } }));
    expect(plan(more).problems).toEqual([]);
    expect(plan(more).notes).toContain('New:\n\n- the field `tax` of `sales`');
    expect(plan(more, { version: '1.2.1' }).problems).toEqual([
      'tools got something new, so the second number must grow: the field `tax` of `sales`',
    ]);
  });

  it.each([
    [
      'a field of another kind',
      withSales(() => ({ fields: { ...BEFORE.sales?.fields, revenue: part('text') } })),
      'was number, currency, and is text',
    ],
    [
      'an argument that is required now',
      withSales(() => ({
        arguments: {
          ...BEFORE.sales?.arguments,
          by: part('string', { values: ['day', 'week'], required: true }),
        },
      })),
      '`by` of `sales` is required now',
    ],
    [
      'a new required argument',
      withSales(() => ({
        arguments: { ...BEFORE.sales?.arguments, store: part('uuid', { required: true }) },
      })),
      '`store` of `sales` is new and required',
    ],
    [
      'an argument that takes less',
      withSales(() => ({
        arguments: { ...BEFORE.sales?.arguments, by: part('string', { values: ['day'] }) },
      })),
      'no longer takes week',
    ],
    [
      'a field that can be something else',
      withSales(() => ({
        fields: { ...BEFORE.sales?.fields, state: part('choice', { values: ['open', 'paid', 'void'] }) },
      })),
      'can also be void',
    ],
  ])('gets a new first number for %s', (_, after, told) => {
    expect(plan(after).problems.join()).toContain(told);
    expect(plan(after, { version: '2.0.0' }).problems).toEqual([]);
    expect(plan(after, { version: '2.0.0' }).notes).toContain(told);
  });

  it('takes an argument that takes more', () => {
    const more = withSales(() => ({
      arguments: { ...BEFORE.sales?.arguments, by: part('string', { values: ['day', 'week', 'month'] }) },
    }));
    expect(plan(more).problems).toEqual([]);
  });

  it('removes only what an old enough release deprecated', () => {
    const { visits: _, ...without } = BEFORE;
    expect(plan(without, { version: '2.0.0' }).problems).toEqual([]);
    expect(plan(without, { version: '2.0.0', day: '2026-08-01' }).problems).toEqual([
      'visits is removed, and no release that is 6 months old lists it under "### Deprecated"',
    ]);
    const poorer = withSales(({ fields: { revenue: _revenue, ...fields } }) => ({ fields }));
    expect(plan(poorer, { version: '2.0.0' }).problems.join()).toContain('sales.revenue is removed');
  });

  it('needs a word about numbers for another definition', () => {
    const other = withSales(() => ({
      fields: { ...BEFORE.sales?.fields, revenue: part('number, currency', { meaning: '2' }) },
    }));
    expect(plan(other).problems).toEqual([]);
    const silent = CHANGELOG.replace('### Numbers', '### Files');
    expect(plan(other, { changelog: silent }).problems).toEqual([
      'definitions changed, and the changelog has no "### Numbers": the field `revenue` of `sales`',
    ]);
  });

  it('comes after the last one, has a version and a word about it', () => {
    expect(plan(BEFORE, { version: '1.2.0' }).problems).toEqual(['1.2.0 does not come after 1.2.0']);
    expect(plan(BEFORE, { version: '1.10.0' }).problems).toEqual([]);
    expect(plan(BEFORE, { version: '1.3' }).problems).toEqual(['1.3 is not a version like 1.2.3']);
    const empty = CHANGELOG.replace('### Numbers\n\n- Something.\n\n', '');
    expect(plan(BEFORE, { changelog: empty }).problems.join()).toContain('says nothing of this release');
  });
});

it('the surface has every tool, argument and field, nested ones too', () => {
  const surface = surfaceOf(CATALOGUE);
  expect(Object.keys(surface)).toEqual(CATALOGUE.map(({ name }) => name));
  const { product_statistics: products } = surface;
  expect(products?.arguments.business_id).toMatchObject({ kind: 'uuid', required: true });
  expect(products?.arguments['filter_metrics[].from_value']?.kind).toBe('number or null = null');
  expect(products?.fields['products[].estimated_revenue']?.kind).toMatch(/^number.*money$/);
  const rewritten = CATALOGUE.map((tool) => ({ ...tool, description: `${tool.description} More.` }));
  const [first] = Object.entries(surfaceOf(rewritten));
  expect(first?.[1].meaning).not.toBe(surface[first?.[0] ?? '']?.meaning);
});
