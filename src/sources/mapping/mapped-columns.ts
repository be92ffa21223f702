import { withoutEnd } from '../../text/without-end.ts';
import { ANY_TEXT, columnName } from '../column-name.ts';
import type { RawColumn, RawRows } from '../source.ts';
import { type NumberUse, numbersIn } from './expression-sql.ts';
import { type Block, type ColumnName, columnsIn, type Expression, isThere, type Mapping } from './mapping.ts';

/**
 * The columns of the file that a mapping reads, under names of ours: no text of a mapping becomes a name in
 * SQL.
 */
export class MappedColumns {
  readonly #keys = new Map<
    string,
    { readonly key: string; readonly column: ColumnName; readonly required: boolean }
  >();
  /** Columns whose header is read. */
  readonly #headers = new Set<string>();

  readonly #numbers = new Map<string, NumberUse>();

  constructor({ blocks, fillDown }: Mapping) {
    for (const column of fillDown) this.#add(column, false);
    for (const [index, { cells, where, parts, table }] of blocks.entries()) {
      // A file without what the first table needs means nothing; without what another table needs, that table
      // is not filled.
      const isFirst = index === 0;
      if (parts !== null) for (const column of [parts.id, parts.of]) this.#add(column, isFirst);
      for (const { column, is } of where) this.#add(column, isFirst && (is === 'filled' || is === 'one of'));
      for (const [name, expression] of cells) {
        const column = table.columns[name];
        this.#addExpression(expression, isFirst && (column?.required ?? false));
        for (const use of column === undefined ? [] : numbersIn(expression, column))
          this.#numbers.set(identityOf(use), use);
      }
    }
  }

  #addExpression(expression: Expression, isRequired: boolean): void {
    if ('of' in expression) {
      // One is enough where the first of several counts.
      const isEach = isRequired && expression.kind !== 'first';
      for (const each of expression.of) this.#addExpression(each, isEach);
    } else if (expression.kind === 'header') {
      this.#headers.add(identity(expression.column));
      this.#add(expression.column, isRequired);
    } else if ('columns' in expression) {
      for (const column of expression.columns) this.#add(column, isRequired);
    } else if ('column' in expression) this.#add(expression.column, isRequired);
  }

  #add(column: ColumnName, required: boolean): void {
    const before = this.#keys.get(identity(column));
    this.#keys.set(identity(column), {
      key: before?.key ?? `m${this.#keys.size}`,
      column: before?.column ?? column,
      required: required || (before?.required ?? false),
    });
  }

  cell(column: ColumnName): string {
    const found = this.#keys.get(identity(column));
    if (found === undefined) throw new Error(`the mapping does not read ${column}`);
    return `"${found.key}"`;
  }

  /** Whether some file has what rows of a table cannot be made without. */
  haveAllOf({ table, cells, where, parts }: Block, { present }: Pick<RawRows, 'present'>): boolean {
    const has = (column: ColumnName) => present.has(this.cell(column).slice(1, -1));
    return (
      [...cells].every(([name, expression]) => !table.columns[name]?.required || isThere(expression, has)) &&
      where.every(({ column, is }) => is === 'empty' || is === 'none of' || has(column)) &&
      (parts === null || (has(parts.id) && has(parts.of)))
    );
  }

  /**
   * What is not filled without the columns that no file has: of several of which the first counts, another
   * one may fill it.
   */
  absences(blocks: readonly Block[], present: ReadonlySet<string>): string[] {
    const has = (column: ColumnName) => present.has(this.cell(column).slice(1, -1));
    const filledNow = new Set(
      blocks
        .filter((block) => this.haveAllOf(block, { present }))
        .flatMap(({ table, cells }) =>
          [...cells].flatMap(([name, expression]) =>
            isThere(expression, has) ? [`${table.name}.${name}`] : [],
          ),
        ),
    );
    return [...this.#keys.values()].flatMap(({ key, column }) => {
      if (present.has(key)) return [];
      const filled = filledBy(blocks, column);
      const without = filled.filter((name) => !filledNow.has(name));
      if (filled.length > 0 && without.length === 0) return [];
      return [
        `no column "${column}": ${without.length === 0 ? 'it is a condition' : `${without.join(', ')} without it`}`,
      ];
    });
  }

  header(column: ColumnName): string {
    return this.cell(column).replace(/"$/, '_header"');
  }

  /** The name of the number that a column is read as; its sign has an `s` for the `n`. */
  number(use: NumberUse): string {
    return `n${[...this.#numbers.keys()].indexOf(identityOf(use))}`;
  }

  get numbers(): readonly NumberUse[] {
    return [...this.#numbers.values()];
  }

  /** The names of the cells. */
  get keys(): readonly string[] {
    return [...this.#keys.values()].map(({ key }) => key);
  }

  /**
   * @param costs what is not filled without each column
   * @param tells our columns that it alone fills
   */
  declared(
    costs: (column: ColumnName) => string,
    tells: (column: ColumnName) => readonly string[],
  ): Record<string, RawColumn> {
    const columns = [...this.#keys.values()].flatMap(({ key, column, required }): [string, RawColumn][] => {
      const find = (header: readonly string[]) => findColumns(column, header);
      const said = { absent: costs(column), tells: tells(column) };
      const declared = { header: [String(column)], isRequired: required, ...said, find };
      if (!this.#headers.has(identity(column))) return [[key, declared]];
      const inHeader = (name: string) => patternOf(String(column)).exec(columnName(name))?.[1]?.toUpperCase();
      return [
        [key, declared],
        [`${key}_header`, { header: [String(column)], find, inHeader }],
      ];
    });
    return Object.fromEntries(columns);
  }
}

function identityOf({ column, decimal, isWhole }: NumberUse): string {
  return `${identity(column)} ${decimal} ${isWhole}`;
}

/** Columns are told apart as headers are: without regard to case. */
function identity(column: ColumnName): string {
  return typeof column === 'number' ? `place ${column}` : columnName(column);
}

/**
 * The places of a column in a header: all that have its title, else all that have it with help for people
 * beside it, as PrestaShop writes: `Name *`, `Categories (x;y;z...)`.
 */
function findColumns(column: ColumnName, header: readonly string[]): number[] {
  if (typeof column === 'number') return column <= header.length ? [column - 1] : [];
  const pattern = patternOf(column);
  const names = header.map(columnName);
  const places = (of: readonly string[]) => of.flatMap((name, place) => (pattern.test(name) ? [place] : []));
  const exact = places(names);
  return exact.length > 0 ? exact : places(names.map(withoutHelp));
}

function patternOf(column: string): RegExp {
  const [before = '', ...after] = columnName(column).split(ANY_TEXT);
  const parts = [before, ...after].map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+)')}$`, 'u');
}

function withoutHelp(name: string): string {
  return withoutEnd(withoutBracketsAtEnd(name), /[*#]/).trim();
}

/**
 * The name without the last brackets, where nothing but a star follows them. They begin with the first
 * opening bracket of the line on which the last closing one stands.
 */
function withoutBracketsAtEnd(name: string): string {
  const closed = name.replace(/\*$/, '').trimEnd();
  if (!closed.endsWith(')')) return name;
  const [line = ''] = closed.split(/[\n\r\u2028\u2029]/).slice(-1);
  const opening = line.indexOf('(');
  return opening === -1 ? name : closed.slice(0, closed.length - line.length + opening).trimEnd();
}

/**
 * Whether all columns stand in a header by which files of a mapping are told, and one of each several of
 * which the first counts, where no row means anything without: a report of Meta has its days in either of two
 * ways, or is of a whole period.
 */
export function isHeaderOf({ recognise, blocks: [first] }: Mapping, header: readonly string[]): boolean {
  const has = (column: ColumnName) => findColumns(column, header).length > 0;
  const oneOf = [...(first?.cells ?? [])].filter(
    ([name, { kind }]) => kind === 'first' && first?.table.columns[name]?.required,
  );
  return (
    recognise.length > 0 && recognise.every(has) && oneOf.every(([, expression]) => isThere(expression, has))
  );
}

/** Finds the columns of ours that a column of the file fills. */
export function filledBy(blocks: readonly Block[], column: ColumnName): string[] {
  return filledWhere(blocks, (columns) => columns.has(identity(column)));
}

/** Finds the columns of ours that a column of the file fills alone. */
export function filledOnlyBy(blocks: readonly Block[], column: ColumnName): string[] {
  return filledWhere(blocks, (columns) => columns.has(identity(column)) && columns.size === 1);
}

/** @param isMeant of the columns of an expression */
function filledWhere(blocks: readonly Block[], isMeant: (columns: ReadonlySet<string>) => boolean): string[] {
  const names = blocks.flatMap(({ table, cells }) =>
    [...cells].flatMap(([name, expression]) =>
      isMeant(new Set(columnsIn(expression).map(identity))) ? [`${table.name}.${name}`] : [],
    ),
  );
  return [...new Set(names)];
}
