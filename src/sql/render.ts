import { Parameter, type Slot, Sql, type Table } from './sql.ts';

/** What differs between engines when an SQL value becomes text. */
export interface Dialect {
  /** The reference to a table of one snapshot. */
  table(table: Table): string;
  /** The value of a parameter: a literal, or a placeholder of the name that `bind` gives it. */
  value(parameter: Parameter, bind: () => string): string;
}

export interface RenderedSql {
  readonly text: string;
  /**
   * What placeholders stand for, by name: p1, p2, … in the order of the text, so that equal calls give equal
   * texts.
   */
  readonly parameters: Readonly<Record<string, Parameter>>;
}

export function render(statement: Sql, dialect: Dialect): RenderedSql {
  const parameters: Record<string, Parameter> = {};
  let count = 0;

  function renderSlot(slot: Slot): string {
    if (slot instanceof Sql) return renderSql(slot);
    if (slot instanceof Parameter) {
      return dialect.value(slot, () => {
        count += 1;
        const name = `p${count}`;
        parameters[name] = slot;
        return name;
      });
    }
    return dialect.table(slot);
  }

  function renderSql(fragment: Sql): string {
    return fragment.texts.reduce((text, next, index) => {
      const slot = fragment.slots[index - 1];
      return slot === undefined ? text + next : text + renderSlot(slot) + next;
    });
  }

  return { text: renderSql(statement), parameters };
}
