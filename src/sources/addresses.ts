/**
 * SQL: a parameter of the query of a URL; as it stands there where its bytes are no UTF-8, as `%E9t%E9` of
 * Latin-1.
 */
export function parameterOf(url: string, name: string): string {
  const asItStands = `replace(regexp_extract(${url}, '[?&]${name}=([^&#]*)', 1), '+', ' ')`;
  return `nullif(coalesce(try(url_decode(${asItStands})), ${asItStands}), '')`;
}

/** SQL: the host of a URL. */
export function hostOf(url: string): string {
  return `nullif(regexp_extract(${url}, '^[a-zA-Z]+://([^/?#:]+)', 1), '')`;
}

/** SQL: the path of a URL, or of a path with a query. */
export function pathOf(url: string): string {
  return `regexp_replace(regexp_replace(${url}, '^[a-zA-Z]+://[^/?#]*', ''), '[?#].*$', '')`;
}

/** SQL: by which kind of click somebody came to a URL; null where it does not tell. */
export function clickIdOf(url: string): string {
  return `nullif(regexp_extract(${url}, '[?&](gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid)=', 1), '')`;
}
