import { InputError } from '../../errors.ts';
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_TABLE_FUNCTIONS,
  MOST_PADDING,
  PADDING_FUNCTIONS,
} from './allowed-functions.ts';
import { SHOWN_TABLES } from './shown-tables.ts';
import { LISTED_TABLES, unknownTable } from './unknown-table.ts';

/** The longest statement, in characters. */
const LONGEST_STATEMENT = 20_000;

/** DuckDB's own words for what it read, as `json_serialize_sql` gives it. */
type Tree = Readonly<Record<string, unknown>>;

/**
 * A node of a tree that has a `type` must be one of these: nodes of a later DuckDB are refused until somebody
 * has looked at them.
 */
const ALLOWED: Readonly<Record<'expressions' | 'others', ReadonlySet<string>>> = {
  expressions: new Set(
    `BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION LAMBDA OPERATOR POSITIONAL_REFERENCE STAR SUBQUERY
    WINDOW`.split(/\s+/),
  ),
  others: new Set(
    `SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE
    BASE_TABLE SUBQUERY JOIN EXPRESSION_LIST EMPTY TABLE_FUNCTION PIVOT
    ORDER_MODIFIER LIMIT_MODIFIER LIMIT_PERCENT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING
    DECIMAL_TYPE_INFO LIST_TYPE_INFO STRUCT_TYPE_INFO ARRAY_TYPE_INFO STRING_TYPE_INFO`.split(/\s+/),
  ),
};

/** A refusal in words of its own. */
const WORDS: Readonly<Record<string, string>> = {
  PARAMETER: 'a parameter has no value here',
  SHOW_REF: 'describe, show and summarize are not allowed; describe_tables says what the tables are',
  UNBOUND_TYPE_INFO: 'a type that is none of DuckDB is not allowed',
};

/** Names that a catalogue has: a name of a `with` must not look like one of them. */
const OF_CATALOGUE = /^(?:duckdb|pg|sqlite|pragma|information)_/;
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

const ONE_SELECT = 'A statement is one select over the tables that describe_tables lists.';

class RefusedStatement extends InputError {
  constructor(why: string, node: Tree = {}, hint = ONE_SELECT) {
    const { query_location } = node;
    // DuckDB writes the largest of its numbers where it knows no place.
    const isKnown = typeof query_location === 'number' && query_location <= LONGEST_STATEMENT * 4;
    super(`the statement is refused: ${why}${isKnown ? `, at character ${query_location + 1}` : ''}`, hint);
  }
}

/** @throws InputError */
export function checkText(sql: string): void {
  if (sql.length > LONGEST_STATEMENT)
    throw new RefusedStatement(
      `it has ${sql.length} characters, and at most ${LONGEST_STATEMENT} are allowed`,
    );
  if (sql.includes('\0')) throw new RefusedStatement('it has a character with the number 0');
}

/**
 * Finds the tables that a statement reads, if it is one that is allowed: one select, whose tables are shown
 * ones or its own, and whose functions compute from values alone. What is not known to be harmless is
 * refused.
 *
 * @param json what `json_serialize_sql` made of the statement
 * @throws InputError that says which part is refused, and why
 */
export function checkTree(json: string): ReadonlySet<string> {
  const { error, error_type, error_message, statements, named_param_map } = parsed(json);
  if (error === true)
    throw new RefusedStatement(
      error_type === 'not implemented'
        ? 'it is no select'
        : `it cannot be read: ${String(error_message).slice(0, 300)}`,
    );
  const [statement, ...others] = statements as readonly Tree[];
  if (statement === undefined) throw new RefusedStatement('it is empty');
  if (others.length > 0)
    throw new RefusedStatement(`it is ${others.length + 1} statements, and one is allowed`);
  if (named_param_map !== undefined) throw new RefusedStatement(String(WORDS.PARAMETER));
  return new TreeCheck().tablesOf(statement);
}

/** DuckDB writes `1e400` as no JSON. */
function parsed(json: string): Tree {
  try {
    return JSON.parse(json) as Tree;
  } catch {
    throw new RefusedStatement('it has a number that no type holds');
  }
}

/** A part of the tree, and the names of `with` that are known in it. */
interface Part {
  readonly value: unknown;
  readonly known: ReadonlySet<string>;
}

class TreeCheck {
  readonly #tables = new Set<string>();
  /** What is to be looked at: a stack of its own, since trees are deep. */
  readonly #parts: Part[] = [];

  tablesOf(statement: Tree): ReadonlySet<string> {
    this.#parts.push({ value: statement, known: new Set() });
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      const { value, known } = part;
      if (Array.isArray(value)) for (const each of value) this.#parts.push({ value: each, known });
      else if (typeof value === 'object' && value !== null) this.#look(value as Tree, known);
    }
    return this.#tables;
  }

  #look(node: Tree, known: ReadonlySet<string>): void {
    const { type } = node;
    if (node.class !== undefined) this.#lookAtExpression(node);
    else if (typeof type === 'string') this.#lookAtOther(node, type, known);
    const inside = node.cte_map === undefined ? known : this.#withNames(node.cte_map as Tree, known);
    for (const [name, value] of Object.entries(node)) {
      if (name === 'cte_map') continue;
      const isRepeated = type === 'RECURSIVE_CTE_NODE' && name === 'right';
      this.#parts.push({ value, known: isRepeated ? new Set([...inside, nameOf(node.cte_name)]) : inside });
    }
  }

  /** The names that are known within the queries of a `with`. Each of them knows the names before its own. */
  #withNames({ map }: Tree, known: ReadonlySet<string>): ReadonlySet<string> {
    const names = new Set(known);
    for (const { key, value } of (map ?? []) as readonly Tree[]) {
      const name = nameOf(key);
      if (!PLAIN_NAME.test(name) || OF_CATALOGUE.test(name))
        throw new RefusedStatement(`${shown(name)} cannot be a name of its own`);
      this.#parts.push({ value, known: new Set(names) });
      names.add(name);
    }
    return names;
  }

  #lookAtExpression(node: Tree): void {
    const kind = String(node.class);
    if (!ALLOWED.expressions.has(kind))
      throw new RefusedStatement(WORDS[kind] ?? `${shown(kind)} is not allowed`, node);
    if (kind === 'FUNCTION' || kind === 'WINDOW') lookAtFunction(node, ALLOWED_FUNCTIONS);
  }

  #lookAtOther(node: Tree, type: string, known: ReadonlySet<string>): void {
    if (!ALLOWED.others.has(type))
      throw new RefusedStatement(WORDS[type] ?? `${shown(type)} is not allowed`, node);
    if (type === 'BASE_TABLE') this.#lookAtTable(node, known);
    if (type === 'TABLE_FUNCTION') lookAtFunction(node.function as Tree, ALLOWED_TABLE_FUNCTIONS);
  }

  #lookAtTable(node: Tree, known: ReadonlySet<string>): void {
    const { catalog_name = '', schema_name = '', table_name = '', at_clause } = node;
    if (at_clause !== undefined) throw new RefusedStatement('a table has one version here', node);
    const schema = nameOf(schema_name);
    const table = nameOf(table_name);
    if (catalog_name === '' && schema === '' && known.has(table)) return;
    // `"store.orders"` is one name, and not one of ours.
    const name = table.includes('.') ? null : schema === '' ? table : `${schema}.${table}`;
    if (catalog_name !== '' || name === null || !SHOWN_TABLES.has(name))
      throw new RefusedStatement(
        unknownTable([catalog_name, schema_name, table_name].filter(Boolean).join('.')),
        node,
        LISTED_TABLES,
      );
    this.#tables.add(name);
  }
}

function lookAtFunction(node: Tree, allowed: ReadonlySet<string>): void {
  const { function_name, schema = '', catalog = '', children = [] } = node;
  const name = nameOf(function_name);
  // The parser itself writes `main` before some.
  const isPlain = catalog === '' && (schema === '' || schema === 'main');
  if (!isPlain || !allowed.has(name))
    throw new RefusedStatement(
      `the function ${shown(name)} is not allowed here: only those are that compute from the values of rows`,
      node,
    );
  if (PADDING_FUNCTIONS.has(name)) lookAtPadding(name, (children as readonly Tree[])[1], node);
}

function lookAtPadding(name: string, length: Tree | undefined, node: Tree): void {
  const { value } = (length?.value ?? {}) as Tree;
  if (length?.class === 'CONSTANT' && typeof value === 'number' && value <= MOST_PADDING) return;
  throw new RefusedStatement(`${name} takes a number up to ${MOST_PADDING} as its length`, node);
}

/** Names differ by more than their case nowhere in DuckDB. */
function nameOf(name: unknown): string {
  return String(name ?? '').toLowerCase();
}

function shown(name: string): string {
  return name.length <= 80 ? name : `${name.slice(0, 80)}…`;
}
