/**
 * A made shop as a table of lines, whose truth is known, and what systems, languages and spreadsheets make of
 * such a table.
 */

interface MadeLine {
  readonly sku: string;
  readonly name: string;
  readonly pieces: number;
  readonly cents: number;
}

export interface MadeOrder {
  readonly id: string;
  readonly day: { readonly year: number; readonly month: number; readonly day: number };
  readonly minute: number;
  readonly lines: readonly MadeLine[];
  readonly shipping: number;
  readonly total: number;
  readonly isCancelled: boolean;
}

/** A column of a table: what it is of ours (empty for nothing), its titles by language, and its cells. */
export interface MadeColumn {
  readonly is: string;
  readonly titles: Readonly<Record<string, readonly string[]>>;
  readonly kind: 'text' | 'money' | 'date' | 'whole' | 'code';
  cell(order: MadeOrder, line: MadeLine): string | number;
}

export const LANGUAGES = ['en', 'cs', 'de', 'fr', 'es', 'it', 'pl', 'nl', 'pt', 'ru'] as const;

const NAMES = ['Mug', 'Žlutý hrnek; malý', 'Box, "large"', 'Tasse à café', 'Kubek', 'Чашка'];

/** Orders whose numbers are decided by a seed: the same seed makes the same shop. */
export function madeOrders(seed: number, count: number): readonly MadeOrder[] {
  let state = seed + 1;
  const next = (below: number) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  return Array.from({ length: count }, (_, place) => {
    const lines = Array.from({ length: 1 + next(3) }, () => {
      const product = next(NAMES.length);
      return {
        sku: `00${product + 1}7`,
        name: NAMES[product] ?? '',
        pieces: 1 + next(4),
        cents: next(12) === 0 ? 123450 + next(100) : 199 + next(9000),
      };
    });
    const goods = lines.reduce((sum, { pieces, cents }) => sum + pieces * cents, 0);
    const shipping = 390 + 100 * next(3);
    return {
      id: `${2026000001 + place}`,
      day: { year: 2026, month: 1 + next(12), day: 1 + next(28) },
      minute: next(1440),
      lines,
      shipping,
      total: goods + shipping,
      isCancelled: next(6) === 0,
    };
  });
}

export const COLUMNS: readonly MadeColumn[] = [
  {
    is: 'orders.order_id',
    kind: 'code',
    titles: {
      en: ['Order number', 'Order ID', 'order_no'],
      cs: ['Číslo objednávky', 'Kód objednávky'],
      de: ['Bestellnummer', 'Auftragsnummer'],
      fr: ['Numéro de commande', 'N° de commande'],
      es: ['Número de pedido', 'Nº de pedido'],
      it: ['Numero ordine', 'ID ordine'],
      pl: ['Numer zamówienia', 'Nr zamówienia'],
      nl: ['Bestelnummer', 'Ordernummer'],
      pt: ['Número do pedido', 'Número da encomenda'],
      ru: ['Номер заказа', 'ID заказа'],
    },
    cell: ({ id }) => id,
  },
  {
    is: 'orders.ordered_at',
    kind: 'date',
    titles: {
      en: ['Order date', 'Created at', 'Date'],
      cs: ['Datum objednávky', 'Datum vytvoření'],
      de: ['Bestelldatum', 'Auftragsdatum'],
      fr: ['Date de commande', 'Date de la commande'],
      es: ['Fecha del pedido', 'Fecha de compra'],
      it: ['Data ordine', "Data dell'ordine"],
      pl: ['Data zamówienia', 'Data złożenia zamówienia'],
      nl: ['Besteldatum', 'Orderdatum'],
      pt: ['Data do pedido', 'Data da compra'],
      ru: ['Дата заказа', 'Дата создания'],
    },
    cell: () => '',
  },
  {
    is: 'orders.total',
    kind: 'money',
    titles: {
      en: ['Order total', 'Grand total', 'Total'],
      cs: ['Celkem s DPH', 'Cena celkem'],
      de: ['Gesamtbetrag', 'Gesamtsumme'],
      fr: ['Total TTC', 'Montant total'],
      es: ['Importe total', 'Total del pedido'],
      it: ['Totale ordine', 'Totale'],
      pl: ['Wartość zamówienia', 'Kwota zamówienia'],
      nl: ['Totaalbedrag', 'Totaal'],
      pt: ['Valor total', 'Total do pedido'],
      ru: ['Сумма заказа', 'Итого'],
    },
    cell: ({ total }) => total,
  },
  {
    is: 'orders.currency',
    kind: 'text',
    titles: {
      en: ['Currency'],
      cs: ['Měna'],
      de: ['Währung'],
      fr: ['Devise'],
      es: ['Moneda'],
      it: ['Valuta'],
      pl: ['Waluta'],
      nl: ['Valuta'],
      pt: ['Moeda'],
      ru: ['Валюта'],
    },
    cell: () => 'EUR',
  },
  {
    is: 'orders.status',
    kind: 'text',
    titles: {
      en: ['Status', 'Order status'],
      cs: ['Stav', 'Stav objednávky'],
      de: ['Bestellstatus', 'Status'],
      fr: ['Statut'],
      es: ['Estado', 'Estado del pedido'],
      it: ['Stato', 'Stato ordine'],
      pl: ['Status zamówienia', 'Stan'],
      nl: ['Bestelstatus', 'Status'],
      pt: ['Status do pedido', 'Estado do pedido'],
      ru: ['Статус заказа', 'Статус'],
    },
    cell: ({ isCancelled }) => (isCancelled ? 'X-storno' : 'X-done'),
  },
  {
    is: 'orders.shipping',
    kind: 'money',
    titles: {
      en: ['Shipping', 'Shipping cost'],
      cs: ['Doprava', 'Cena dopravy'],
      de: ['Versandkosten', 'Versand'],
      fr: ['Frais de port', 'Frais de livraison'],
      es: ['Gastos de envío', 'Envío'],
      it: ['Spese di spedizione', 'Spedizione'],
      pl: ['Koszt dostawy', 'Koszt wysyłki'],
      nl: ['Verzendkosten'],
      pt: ['Frete', 'Portes'],
      ru: ['Стоимость доставки', 'Доставка'],
    },
    cell: ({ shipping }) => shipping,
  },
  {
    is: 'order_items.external_product_id',
    kind: 'code',
    titles: {
      en: ['SKU', 'Product code'],
      cs: ['Kód zboží', 'Kód produktu'],
      de: ['Artikelnummer', 'Artikel-Nr.'],
      fr: ['Référence', 'Référence produit'],
      es: ['Código de producto', 'SKU'],
      it: ['Codice articolo', 'Codice prodotto'],
      pl: ['Kod produktu', 'Indeks'],
      nl: ['Productcode', 'SKU'],
      pt: ['Código do produto', 'SKU'],
      ru: ['Артикул', 'Код товара'],
    },
    cell: (_, { sku }) => sku,
  },
  {
    is: 'order_items.name',
    kind: 'text',
    titles: {
      en: ['Product name', 'Item name'],
      cs: ['Název zboží', 'Název produktu'],
      de: ['Artikelname', 'Produktname'],
      fr: ['Nom du produit', 'Désignation'],
      es: ['Nombre del producto', 'Producto'],
      it: ['Nome prodotto', 'Prodotto'],
      pl: ['Nazwa produktu'],
      nl: ['Productnaam'],
      pt: ['Nome do produto'],
      ru: ['Название товара', 'Товар'],
    },
    cell: (_, { name }) => name,
  },
  {
    is: 'order_items.quantity',
    kind: 'whole',
    titles: {
      en: ['Quantity', 'Qty'],
      cs: ['Množství', 'Počet kusů'],
      de: ['Menge', 'Anzahl'],
      fr: ['Quantité', 'Qté'],
      es: ['Cantidad'],
      it: ['Quantità', 'Qtà'],
      pl: ['Ilość', 'Liczba sztuk'],
      nl: ['Aantal'],
      pt: ['Quantidade', 'Qtd'],
      ru: ['Количество', 'Кол-во'],
    },
    cell: (_, { pieces }) => pieces,
  },
  {
    is: 'order_items.unit_price',
    kind: 'money',
    titles: {
      en: ['Unit price', 'Item price'],
      cs: ['Cena za kus', 'Jednotková cena'],
      de: ['Einzelpreis', 'Stückpreis'],
      fr: ['Prix unitaire', 'Prix unitaire TTC'],
      es: ['Precio unitario', 'Precio del producto'],
      it: ['Prezzo unitario'],
      pl: ['Cena jednostkowa'],
      nl: ['Prijs per stuk', 'Stuksprijs'],
      pt: ['Preço unitário'],
      ru: ['Цена за единицу', 'Цена'],
    },
    cell: (_, { cents }) => cents,
  },
  {
    is: 'order_items.line_total',
    kind: 'money',
    titles: {
      en: ['Line total', 'Item total', 'Row total', 'Total price'],
      cs: ['Cena řádku', 'Celkem za položku'],
      de: ['Positionssumme', 'Gesamtpreis'],
      fr: ['Total ligne', 'Prix total'],
      es: ['Total línea', 'Precio total'],
      it: ['Totale riga', 'Prezzo totale'],
      pl: ['Wartość pozycji', 'Wartość'],
      nl: ['Regeltotaal', 'Totaalprijs'],
      pt: ['Total do item', 'Preço total'],
      ru: ['Сумма позиции', 'Стоимость'],
    },
    cell: (_, { pieces, cents }) => pieces * cents,
  },
  {
    is: '',
    kind: 'money',
    titles: {
      en: ['Weight', 'Balance due'],
      cs: ['Hmotnost'],
      de: ['Gewicht'],
      fr: ['Poids'],
      es: ['Peso'],
      it: ['Peso'],
      pl: ['Waga'],
      nl: ['Gewicht'],
      pt: ['Peso'],
      ru: ['Вес'],
    },
    cell: (_, { sku }) => 100 * sku.charCodeAt(2) + 25,
  },
  {
    is: '',
    kind: 'code',
    titles: {
      en: ['Invoice number', 'Tracking number'],
      cs: ['Číslo faktury'],
      de: ['Rechnungsnummer'],
      fr: ['Numéro de facture'],
      es: ['Número de factura'],
      it: ['Numero fattura'],
      pl: ['Numer faktury'],
      nl: ['Factuurnummer'],
      pt: ['Número da fatura'],
      ru: ['Номер счёта'],
    },
    cell: ({ id }) => `9${id.slice(1)}`,
  },
];

/** How a table writes money, in cents. */
export const MONEY: Readonly<Record<string, (cents: number) => string>> = {
  point: (cents) => (cents / 100).toFixed(2),
  comma: (cents) => (cents / 100).toFixed(2).replace('.', ','),
  'thousands with a comma': (cents) => grouped(cents, ',', '.'),
  'thousands with a point': (cents) => grouped(cents, '.', ','),
  'thousands with a narrow space': (cents) => grouped(cents, '\u202f', ','),
  'thousands with an apostrophe': (cents) => grouped(cents, '’', '.'),
  'a sign before': (cents) => `€${grouped(cents, ',', '.')}`,
  'a sign behind': (cents) => `${grouped(cents, '\u00a0', ',')} €`,
  'no last zero': (cents) => String(cents / 100),
  'no last zero, comma': (cents) => String(cents / 100).replace('.', ','),
  'four decimals': (cents) => (cents / 100).toFixed(4),
  'three decimals, comma': (cents) => (cents / 100).toFixed(3).replace('.', ','),
  'three decimals': (cents) => (cents / 100).toFixed(3),
};

function grouped(cents: number, thousands: string, decimal: string): string {
  const [whole = '', rest = ''] = (cents / 100).toFixed(2).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${decimal}${rest}`;
}

const two = (value: number) => String(value).padStart(2, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** How a table writes moments, which are in UTC. */
export const DATES: Readonly<Record<string, (order: MadeOrder) => string>> = {
  iso: (order) => `${isoDay(order)} ${clock(order)}:00`,
  'iso with an offset': (order) => `${isoDay(order)}T${clock(order)}:00Z`,
  'a day alone': isoDay,
  points: ({ day: { year, month, day }, ...order }) => `${two(day)}.${two(month)}.${year} ${clock(order)}`,
  'points without zeros': ({ day: { year, month, day }, ...order }) =>
    `${day}.${month}.${year} ${clock(order)}`,
  'day first': ({ day: { year, month, day }, ...order }) =>
    `${two(day)}/${two(month)}/${year} ${clock(order)}`,
  'month first': ({ day: { year, month, day }, ...order }) => `${month}/${day}/${year} ${clock(order)}`,
  'month first, twelve hours': ({ day: { year, month, day }, minute }) =>
    `${month}/${day}/${year} ${((Math.floor(minute / 60) + 11) % 12) + 1}:${two(minute % 60)} ${minute < 720 ? 'AM' : 'PM'}`,
  'a serial number': (order) => String(serial(order)),
  'a name of a month': ({ day: { year, month, day } }) => `${day}-${MONTHS[month - 1]}-${year}`,
  'year of two digits': ({ day: { year, month, day } }) =>
    `${two(day)}/${two(month)}/${String(year).slice(2)}`,
};

function clock({ minute }: Pick<MadeOrder, 'minute'>): string {
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

export function isoDay({ day: { year, month, day } }: Pick<MadeOrder, 'day'>): string {
  return `${year}-${two(month)}-${two(day)}`;
}

/** As a spreadsheet counts: days since the 30th of December 1899. */
function serial(order: MadeOrder): number {
  const days = (Date.parse(`${isoDay(order)}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
  return Math.round((days + order.minute / 1440) * 100_000) / 100_000;
}

/** What a spreadsheet does to cells when it opens and saves a table. */
export const DAMAGES: Readonly<Record<string, (cell: string, column: MadeColumn) => string>> = {
  none: (cell) => cell,
  'leading zeros lost': (cell, { kind }) => (kind === 'code' ? cell.replace(/^0+(?=\d)/, '') : cell),
  'long numbers in scientific notation': (cell, { kind }) =>
    kind === 'code' && cell.length > 9 ? Number(`${cell}00`).toExponential(2).replace('e+', 'E+') : cell,
  'codes as numbers with a fraction': (cell, { kind }) => (kind === 'code' ? `${cell}.0` : cell),
  'blanks around': (cell) => ` ${cell}\u00a0`,
  'amounts as dates': (cell, { kind }) =>
    kind === 'money' && /^([1-9]|1[0-2])[.,]\d\d$/.test(cell) ? `${cell.replace(/[.,]/, '.')}.2026` : cell,
};

/**
 * The bytes of a text in an encoding of one byte for each letter; null where it has no byte for some letter.
 */
export function oneByteOf(text: string, encoding: string): Buffer | null {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Buffer.of(byte)), byte]));
  const all = [...text].map((letter) => bytes.get(letter));
  return all.includes(undefined) ? null : Buffer.from(all as number[]);
}

export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;

export function csvRow(cells: readonly string[], separator: string): string {
  const quoted = (cell: string) =>
    cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return cells.map(quoted).join(separator);
}
