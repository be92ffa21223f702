import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

/** @throws when it is not well-formed, as a browser would refuse a file of it */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attribs: {}, children: [] };
  const open = [root];
  const parser = new SaxesParser({ fragment: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attribs: attributes as Record<string, string>, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (content) => void open.at(-1)?.children.push(content));
  parser.write(text).close();
  return root;
}

/** The element and all in it, each with those around it. */
export function* elementsOf(
  element: XmlElement,
  above: readonly XmlElement[] = [],
): Generator<[XmlElement, readonly XmlElement[]]> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    yield [child, above];
    yield* elementsOf(child, [...above, child]);
  }
}

/** What is seen of it: a `title` shows only when pointed at. */
export function textOf({ children }: XmlElement): string {
  return children
    .map((child) => (typeof child === 'string' ? child : child.name === 'title' ? '' : textOf(child)))
    .join('');
}
