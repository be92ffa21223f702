/** How sure a draft is that a column of a file is one of ours. */
export type Confidence = 'high' | 'medium' | 'low';

export interface Meaning {
  readonly table: string;
  readonly column: string;
  readonly confidence: Confidence;
  /**
   * The smaller, the better it fits: of two columns that may be the total, `grand total` comes before
   * `amount`.
   */
  readonly rank: number;
}

/**
 * What titles of columns mean, in English, Czech, German, French, Spanish, Italian, Polish, Dutch, Portuguese
 * and Russian, the plainest first. They only propose: a draft of a mapping is read by a person before it is
 * used.
 */
const TITLES: readonly (readonly [tables: string, column: string, titles: string])[] = [
  [
    'orders order_items refunds',
    'order_id',
    `order id, order number, order code, order no, id order, increment id, order, amazon order id, číslo objednávky, kód objednávky, objednávka, bestellnummer, bestell nr,
    bestell id, auftragsnummer, numéro de commande, n de commande, commande, id commande, número de pedido, número de orden, n de pedido, pedido,
    numero ordine, id ordine, numero d ordine, ordine, numer zamówienia, nr zamówienia, zamówienie, bestelnummer, ordernummer, bestelling,
    número do pedido, número da encomenda, номер заказа, заказ, id заказа, no заказа`,
  ],
  ['orders order_items', 'order_id', 'number, code, kód, id'],
  [
    'orders',
    'ordered_at',
    `order date, ordered at, purchase date, created at, date created, date add, date placed, created, date, datum objednávky, datum vytvoření, datum,
    bestelldatum, auftragsdatum, date de commande, date de la commande, fecha del pedido, fecha de la orden, fecha de compra, fecha, data ordine,
    data dell ordine, data zamówienia, data złożenia zamówienia, besteldatum, orderdatum, data do pedido, data da encomenda, data da compra, data,
    дата заказа, дата создания, дата, date added, sale date`,
  ],
  [
    'orders',
    'total',
    `order total, grand total, order total inc tax, total inc tax, order total amount, total paid tax incl, total paid, total price with vat,
    grand total purchased, grand total base, total, total amount, celkem s dph, cena celkem s dph, cena celkem, celkem, gesamtbetrag, gesamtsumme,
    bestellsumme, gesamt, total ttc, montant total, total de la commande, importe total, total del pedido, totale ordine, totale, importo totale, suma,
    wartość zamówienia, kwota zamówienia, amount to pay, kwota do zapłaty, do zapłaty, razem, totaal, totaalbedrag, valor total, total do pedido, сумма заказа, итого, всего, сумма, amount`,
  ],
  [
    'orders',
    'status',
    `order status, status, status name, state, current state, stav objednávky, stav, bestellstatus, auftragsstatus, statut de la commande, statut,
    état, estado del pedido, estado de la orden, estado, stato ordine, stato, status zamówienia, stan, bestelstatus, status do pedido, estado do pedido,
    статус заказа, статус, payment status, financial status, stav platby, zahlungsstatus, statut du paiement, estado del pago, stato pagamento,
    status płatności, betaalstatus, status do pagamento, статус оплаты`,
  ],
  [
    'orders ad_costs',
    'currency',
    `currency, currency code, order currency, order currency code, currency iso code, měna, kód měny, währung, devise, monnaie, moneda, valuta, waluta,
    moeda, валюта`,
  ],
  [
    'orders profiles',
    'email',
    `customer email, email, e mail, email address, e mail address, billing email, mail, e mail zákazníka, e mailová adresa, e mail adresse, email kunde,
    adresse e mail, adresse email, correo electrónico, correo, email cliente, indirizzo email, e mail klienta, adres e mail, e mailadres, e mail do cliente,
    электронная почта, почта, эл почта`,
  ],
  [
    'orders profiles',
    'phone',
    `phone, customer phone, billing phone, telephone, telefon, telefonnummer, téléphone, teléfono, telefono, numer telefonu, telefoonnummer, telefoon,
    telefone, телефон`,
  ],
  [
    'orders profiles',
    'external_customer_id',
    `customer id, customer number, id customer, kundennummer, číslo zákazníka, numéro de client, id client, número de cliente, id cliente, numer klienta,
    klantnummer, номер клиента`,
  ],
  [
    'profiles',
    'profile_id',
    `customer id, customer number, id customer, kundennummer, číslo zákazníka, numéro de client, id client, número de cliente, id cliente, numer klienta,
    klantnummer, номер клиента`,
  ],
  [
    'orders profiles',
    'country',
    `country, country code, shipping country, billing country, delivery country name, země, stát, land, lieferland, pays, pays de livraison, país,
    país de entrega, paese, nazione, kraj, страна`,
  ],
  [
    'orders',
    'shipping',
    `shipping cost inc tax, shipping, shipping cost, shipping total, shipping amount, total shipping tax incl, total shipping, doprava, cena dopravy,
    versandkosten, versand, frais de port, frais de livraison, livraison, costo de envío, gastos de envío, envío, spese di spedizione, costo spedizione,
    spedizione, koszt dostawy, koszt wysyłki, verzendkosten, frete, custo de envio, portes, стоимость доставки, доставка, shipping rate,
    shipping and handling`,
  ],
  [
    'orders',
    'tax',
    `tax, order tax, tax total, tax amount, tax total amount, vat, dph, mwst, ust, mehrwertsteuer, tva, montant tva, iva, impuestos, imposta, podatek,
    podatek vat, kwota vat, btw, btw bedrag, imposto, ндс, налог`,
  ],
  [
    'orders',
    'discount',
    `discount, discount total, discount amount, total discounts tax incl, total discounts, sleva, rabatt, nachlass, remise, réduction, descuento, sconto,
    rabat, zniżka, korting, desconto, скидка`,
  ],
  [
    'orders',
    'cancelled_at',
    `cancelled at, canceled at, cancelled date, cancellation date, date cancelled, date canceled, cancelled on, datum storna, datum zrušení, stornodatum, storniert am,
    date d annulation, annulée le, fecha de cancelación, fecha de anulación, data annullamento, data di annullamento, data anulowania, annuleringsdatum,
    geannuleerd op, data de cancelamento, data do cancelamento, дата отмены`,
  ],
  [
    'order_items',
    'line_discount',
    `line discount, line discount amount, item discount, item discount amount, lineitem discount, product discount, sleva na položku, sleva položky,
    positionsrabatt, artikelrabatt, remise ligne, remise produit, descuento línea, descuento del producto, sconto riga, sconto prodotto, rabat pozycji,
    regelkorting, desconto do item, desconto do produto, скидка на товар, скидка позиции`,
  ],
  [
    'order_items',
    'piece_discount',
    `unit discount, discount per unit, discount per piece, discount per item, sleva za kus, rabatt pro stück, stückrabatt, remise unitaire,
    descuento unitario, sconto unitario, rabat jednostkowy, korting per stuk, desconto unitário, скидка за единицу`,
  ],
  [
    'order_items',
    'percent_discount',
    `discount percent, discount percentage, discount rate, line discount percent, item discount percent, sleva percent, rabatt percent, rabattsatz,
    remise percent, taux de remise, descuento percent, porcentaje de descuento, sconto percent, rabat percent, zniżka percent, korting percent,
    kortingspercentage, desconto percent, скидка percent, процент скидки`,
  ],
  [
    'order_items',
    'line_total',
    `line total, line item total, item total, row total, line amount, line price, cena řádku, celkem za položku, cena celkem za položku, positionssumme,
    zeilensumme, total ligne, montant ligne, total línea, importe línea, totale riga, wartość pozycji, regeltotaal, total do item, сумма позиции,
    сумма строки`,
  ],
  [
    'orders',
    'coupon_codes',
    `coupon code, coupon, coupons, coupon codes, discount code, voucher, voucher code, slevový kód, slevový kupón, gutscheincode, gutschein, code promo,
    bon de réduction, cupón de descuento, cupón, codice sconto, buono sconto, kod rabatowy, kupon, kortingscode, cupom, cupom de desconto, купон, промокод`,
  ],
  [
    'orders',
    'payment_method',
    `payment method, payment, způsob platby, platba, zahlungsart, zahlungsmethode, mode de paiement, moyen de paiement, paiement, método de pago,
    medio de pago, forma de pago, metodo di pagamento, pagamento, metoda płatności, forma płatności, betaalmethode, betaalwijze, forma de pagamento,
    método de pagamento, способ оплаты, оплата`,
  ],
  [
    'orders',
    'shipping_method',
    `shipping method, ship method, delivery method, shipping information, způsob dopravy, versandart, mode de livraison, transporteur, método de envío,
    medio de envío, metodo di spedizione, corriere, sposób dostawy, metoda dostawy, verzendmethode, método de envio, способ доставки`,
  ],
  [
    'order_items',
    'external_product_id',
    `item sku, product sku, sku, item code, product code, product id, product reference, kód zboží, kód produktu, kód položky, artikelnummer, artikel nr,
    produktnummer, référence, référence produit, código, código de producto, referencia, codice articolo, codice prodotto, kod produktu, indeks,
    productcode, código do produto, referência, артикул, код товара, custom label`,
  ],
  [
    'order_items',
    'name',
    `item name, product name, product, název zboží, název produktu, název položky, artikelname, artikel, produktname, produkt, nom du produit, produit,
    désignation, nombre del producto, producto, nome prodotto, prodotto, nazwa produktu, productnaam, nome do produto, produto, название товара,
    наименование товара, товар, lineitem name, item title, item`,
  ],
  [
    'order_items',
    'quantity',
    `quantity, qty, item quantity, product quantity, qty ordered, item amount, množství, počet, počet kusů, menge, anzahl, stückzahl, quantité, qté,
    cantidad, cantidad del producto, quantità, qtà, ilość, liczba sztuk, aantal, quantidade, qtd, количество, кол во`,
  ],
  [
    'order_items',
    'unit_price',
    `unit price, unit price tax incl, item unit price with vat, item price, product price, price, item cost, cena za kus, jednotková cena, cena, stückpreis,
    einzelpreis, prix unitaire, prix unitaire ttc, precio unitario, precio del producto, prezzo unitario, cena jednostkowa, stuksprijs, prijs per stuk,
    eenheidsprijs, preço unitário, preço do produto, цена за единицу, цена за штуку, цена, sale price, sold for`,
  ],
  ['order_items', 'kind', 'item type, line type, line item type, order item type'],
  [
    'products',
    'external_product_id',
    `sku, product id, product code, product code sku, product reference, code, id, kód, kód produktu, artikelnummer, produktnummer, référence, código,
    referencia, codice, codice prodotto, kod produktu, identificador de url, artikelcode, productcode, código do produto, referência, артикул, код товара`,
  ],
  [
    'products',
    'name',
    `product name, name, title, název produktu, název zboží, název, produktname, artikelname, bezeichnung, nom du produit, nom, désignation,
    nombre del producto, nombre, nome prodotto, nome, nazwa produktu, nazwa, productnaam, naam, nome do produto, название товара, наименование, название`,
  ],
  [
    'products',
    'price',
    `price tax incl, price with vat, price, regular price, price tax included, cena s dph, cena, verkaufspreis, bruttopreis, preis, prix ttc, prix,
    prix de vente, precio, precio de venta, prezzo, prezzo di vendita, cena brutto, prijs, verkoopprijs, preço, preço de venda, цена`,
  ],
  [
    'products',
    'purchase_price',
    `purchase price, cost price, wholesale price, cost, nákupní cena, einkaufspreis, ek preis, prix d achat, costo, precio de costo, precio de compra,
    prezzo di acquisto, cena zakupu, inkoopprijs, preço de custo, закупочная цена, себестоимость`,
  ],
  [
    'products',
    'brand',
    `brand, brand name, manufacturer, značka, výrobce, marke, hersteller, marque, fabricant, marca, fabricante, produttore, marka, producent, merk,
    fabrikant, бренд, производитель`,
  ],
  [
    'products',
    'ean',
    'ean, ean13, gtin, barcode, product upc ean, ean code, ean kód, čárový kód, strichcode, code barres, código de barras, codice a barre, kod kreskowy, kod ean, штрихкод',
  ],
  [
    'products',
    'stock_quantity',
    `stock quantity, stock, current stock level, current stock, qty, quantity, sklad, skladem, lagerbestand, bestand, en stock, quantité, existencias,
    inventario, giacenza, stan magazynowy, ilość, voorraad, estoque, остаток, количество`,
  ],
  [
    'refunds',
    'refund_id',
    'refund id, refund number, credit memo, credit memo number, id order slip, gutschriftnummer, avoir',
  ],
  ['refunds', 'refunded_at', 'refund date, refunded at, date refunded, credit memo date, gutschriftdatum'],
  [
    'refunds',
    'amount',
    `refund amount, refunded, amount refunded, refunded amount, refund total, refunded total, total refunded amount, total refunded, vráceno, vrácená částka, erstattungsbetrag,
    erstattet, rückerstattung, rückerstattungsbetrag, montant remboursé, remboursé, importe reembolsado, reembolso, reembolsado, importo rimborsato,
    rimborsato, kwota zwrotu, zwrócona kwota, terugbetaald, terugbetaald bedrag, valor reembolsado, сумма возврата, возвращено`,
  ],
  ['ad_costs', 'day', 'day, date, den, tag, jour, día, giorno, dzień, dag, dia, день, дата'],
  [
    'ad_costs',
    'campaign',
    'campaign, campaign name, kampaň, název kampaně, kampagne, campagne, campaña, campagna, kampania, campanha, кампания',
  ],
  [
    'ad_costs',
    'cost',
    'cost, spend, amount spent, cena, útrata, kosten, coût, coste, costo, koszt, custo, расход',
  ],
  [
    'ad_costs',
    'clicks',
    'clicks, link clicks, kliknutí, prokliky, klicks, clics, clic, kliknięcia, klikken, cliques, клики',
  ],
  [
    'ad_costs',
    'impressions',
    'impressions, impr, zobrazení, impressionen, impresiones, impressioni, wyświetlenia, weergaven, impressões, показы',
  ],
];

/**
 * Words before a title that say only to which table it belongs, for example the first of
 * `orderItem quantity`.
 */
const BEFORE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['orders', new Set(['order', 'orders', 'sales', 'purchase'])],
  ['order_items', new Set(['order', 'orders', 'line', 'item', 'items', 'product', 'lineitem', 'detail'])],
  ['products', new Set(['product', 'products', 'variant', 'article'])],
  ['profiles', new Set(['customer', 'client', 'contact'])],
]);

/**
 * Titles that leave much open: the key of whatever the file is about, or a tax that may be an amount or a
 * rate.
 */
const BARE = new Set(
  'id code kod number order data amount vat dph mwst ust tva iva btw ндс'.normalize('NFKD').split(' '),
);

/** Larger than any rank: a match of a title's end ranks after any match of the whole. */
const AFTER_WHOLE = 1000;

const MEANINGS = new Map<string, Omit<Meaning, 'confidence'>[]>();
for (const [tables, column, titles] of TITLES)
  for (const [rank, title] of titles.split(',').entries())
    for (const table of tables.split(' ')) {
      const words = titleWords(title);
      const isBare = BARE.has(words);
      MEANINGS.set(words, [
        ...(MEANINGS.get(words) ?? []),
        { table, column, rank: isBare ? rank + 2 * AFTER_WHOLE : rank },
      ]);
    }

/**
 * A title without what differs from one system to the next: `orderItem_Quantity`, `Order-item quantity:` and
 * `order item quantity` are one.
 */
function titleWords(title: string): string {
  return (
    title
      .slice(0, 200)
      .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      // A rate is no amount: `VAT %` is not what `VAT` is.
      .replaceAll('%', ' percent ')
      .replaceAll('ł', 'l')
      .replaceAll('ß', 'ss')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

/** What a title may mean in each of our tables. */
export function meaningsOf(title: string): Meaning[] {
  const words = titleWords(title);
  const exact = MEANINGS.get(words) ?? [];
  const confidence = BARE.has(words) ? 'low' : 'high';
  return [
    ...exact.map((each): Meaning => ({ ...each, confidence })),
    ...[...BEFORE].flatMap(([table, before]) =>
      exact.some((each) => each.table === table) ? [] : endOf(words, table, before),
    ),
  ];
}

/** What the end of a title means that begins with words of its table, the longest end first. */
function endOf(title: string, table: string, before: ReadonlySet<string>): Meaning[] {
  const words = title.split(' ', 12);
  for (let first = 1; first < words.length && before.has(words[first - 1] ?? ''); first += 1) {
    const end = words.slice(first).join(' ');
    const found = BARE.has(end) ? [] : (MEANINGS.get(end) ?? []).filter((each) => each.table === table);
    if (found.length > 0)
      return found.map((each) => ({ ...each, confidence: 'medium', rank: each.rank + AFTER_WHOLE }));
  }
  return [];
}
