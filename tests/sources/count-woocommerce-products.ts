/**
 * What a product export of WooCommerce sells, in plain TypeScript over its cells; sales are on in all years
 * that matter.
 */
export function countWoocommerceProducts([
  header = [],
  ...lines
]: readonly (readonly string[])[]): unknown[][] {
  const titles = header.map((title) => title.trim().toLowerCase());
  const products = lines.map((cells) => {
    const cell = (title: string) => cells[titles.indexOf(title)]?.trim() ?? '';
    const options = titles.flatMap((title, place) =>
      /^attribute \d+ value\(s\)$/.test(title) && cells[place] ? [cells[place]] : [],
    );
    return { cell, options, kind: cell('type').split(',')[0] };
  });
  const idOf = ({ cell }: (typeof products)[number]) => cell('id') || cell('sku');
  const sold = products.filter(({ kind }) => kind !== 'variable' && kind !== 'grouped');
  return sold
    .map((product) => {
      const { cell, options } = product;
      const parent = products.find((other) => cell('parent') !== '' && other.cell('sku') === cell('parent'));
      const name = cell('name') || `${parent?.cell('name')} - ${options.join(', ')}`;
      const regular = Number(cell('regular price') || 0);
      const categories = (parent?.cell('categories') || cell('categories')).split(', ').filter(Boolean);
      return [
        idOf(product) || `name:${name}`,
        parent === undefined ? null : idOf(parent),
        name,
        Number(cell('sale price') || regular),
        regular,
        categories.map((path) => path.split(' > ').at(-1)),
      ];
    })
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}
