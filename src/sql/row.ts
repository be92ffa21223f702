/** A value of a result row: integers and decimals are numbers, dates and moments ISO 8601 text. */
export type SqlValue = string | number | boolean | null | readonly SqlValue[];
export type Row = Readonly<Record<string, SqlValue>>;
