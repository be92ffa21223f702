import type { Message } from './message.ts';

/** What the numbers of the overview are, in a sentence of a merchant. */
export const MEANINGS = {
  'meaning.revenue': {
    en: 'What customers paid in total, with VAT, shipping and payment fees. Refunds are not taken off.',
    de: 'Was Kunden insgesamt bezahlt haben, mit Mehrwertsteuer, Versand und Zahlungsgebühren. Erstattungen sind nicht abgezogen.',
    cs: 'Kolik zákazníci celkem zaplatili, včetně DPH, dopravy a poplatků za platbu. Vrácené platby nejsou odečteny.',
    fr: 'Ce que les clients ont payé au total, TVA, livraison et frais de paiement compris. Les remboursements ne sont pas déduits.',
  },
  'meaning.orders': {
    en: 'Orders that count: not cancelled ones.',
    de: 'Bestellungen, die zählen: ohne stornierte.',
    cs: 'Platné objednávky: bez stornovaných.',
    fr: 'Les commandes valables : sans les annulées.',
  },
  'meaning.average': {
    en: 'Revenue divided by orders.',
    de: 'Umsatz geteilt durch Bestellungen.',
    cs: 'Tržby dělené počtem objednávek.',
    fr: 'Chiffre d’affaires divisé par les commandes.',
  },
  'meaning.new': {
    en: 'Customers whose first order ever is in these days.',
    de: 'Kunden, deren allererste Bestellung in diesen Tagen liegt.',
    cs: 'Zákazníci, jejichž úplně první objednávka je v těchto dnech.',
    fr: 'Clients dont la toute première commande est dans ces jours.',
  },
  'meaning.returning': {
    en: 'Customers of these days who are not new.',
    de: 'Kunden dieser Tage, die nicht neu sind.',
    cs: 'Zákazníci těchto dnů, kteří nejsou noví.',
    fr: 'Clients de ces jours qui ne sont pas nouveaux.',
  },
  'meaning.refunds': {
    en: 'All that was paid back in these days, for orders of any time.',
    de: 'Alles, was in diesen Tagen zurückgezahlt wurde, für Bestellungen aus jeder Zeit.',
    cs: 'Vše, co bylo v těchto dnech vráceno, za objednávky z kterékoli doby.',
    fr: 'Tout ce qui a été remboursé ces jours-là, pour des commandes de toute date.',
  },
  'meaning.profit': {
    en: 'Revenue of products without VAT, less what they cost to buy. Only where both are known.',
    de: 'Umsatz der Produkte ohne Mehrwertsteuer, abzüglich ihrer Einkaufspreise. Nur wo beides bekannt ist.',
    cs: 'Tržby za produkty bez DPH po odečtení nákupních cen. Jen tam, kde je obojí známo.',
    fr: 'Chiffre d’affaires des produits hors TVA, moins leur prix d’achat. Seulement là où les deux sont connus.',
  },
  'meaning.known': {
    en: 'The part of the revenue of products whose cost and VAT are known. Profit is of this part.',
    de: 'Der Teil des Produktumsatzes, dessen Kosten und Mehrwertsteuer bekannt sind. Der Ertrag betrifft diesen Teil.',
    cs: 'Část tržeb za produkty, u které jsou známy náklady a DPH. Zisk je z této části.',
    fr: 'La part du chiffre d’affaires des produits dont le coût et la TVA sont connus. La marge porte sur cette part.',
  },
  'meaning.visits': {
    en: 'Visits that began in these days.',
    de: 'Besuche, die in diesen Tagen begannen.',
    cs: 'Návštěvy, které v těchto dnech začaly.',
    fr: 'Visites commencées ces jours-là.',
  },
  'meaning.conversion': {
    en: 'The part of visits in which an order was placed. It does not go by last clicks.',
    de: 'Der Anteil der Besuche, in denen bestellt wurde. Letzte Klicks spielen keine Rolle.',
    cs: 'Podíl návštěv, při kterých vznikla objednávka. Neřídí se posledním kliknutím.',
    fr: 'La part des visites pendant lesquelles une commande a été passée. Elle ne suit pas le dernier clic.',
  },
  'meaning.email': {
    en: 'Revenue of orders of these days that followed e-mails, by the rule of the store.',
    de: 'Umsatz von Bestellungen dieser Tage, die auf E-Mails folgten, nach der Regel des Shops.',
    cs: 'Tržby z objednávek těchto dnů, které následovaly po e-mailech, podle pravidla obchodu.',
    fr: 'Chiffre d’affaires des commandes de ces jours qui ont suivi des e-mails, selon la règle de la boutique.',
  },
  'meaning.advertising': {
    en: 'What advertising cost on these days, as far as it is loaded.',
    de: 'Was Werbung an diesen Tagen kostete, soweit es geladen ist.',
    cs: 'Kolik stála reklama v těchto dnech, pokud je to načteno.',
    fr: 'Ce que la publicité a coûté ces jours-là, dans la mesure où c’est chargé.',
  },
  'meaning.product-revenue': {
    en: 'Quantity times price of these products, after discounts on them, with VAT, before refunds.',
    de: 'Menge mal Preis dieser Produkte, nach Rabatten darauf, mit Mehrwertsteuer, vor Erstattungen.',
    cs: 'Množství krát cena těchto produktů, po slevách na ně, s DPH, před vrácením plateb.',
    fr: 'Quantité fois prix de ces produits, après leurs remises, TVA comprise, avant remboursements.',
  },
  'meaning.product-orders': {
    en: 'Orders that have one of these products.',
    de: 'Bestellungen mit einem dieser Produkte.',
    cs: 'Objednávky s některým z těchto produktů.',
    fr: 'Commandes contenant un de ces produits.',
  },
  'meaning.product-average': {
    en: 'What whole orders with these products came to, divided by their number.',
    de: 'Was ganze Bestellungen mit diesen Produkten ausmachten, geteilt durch ihre Anzahl.',
    cs: 'Hodnota celých objednávek s těmito produkty dělená jejich počtem.',
    fr: 'Le total des commandes entières contenant ces produits, divisé par leur nombre.',
  },
  'meaning.product-new': {
    en: 'Customers who bought these products and whose first order ever, of anything, is in these days.',
    de: 'Kunden, die diese Produkte kauften und deren allererste Bestellung überhaupt in diesen Tagen liegt.',
    cs: 'Zákazníci, kteří tyto produkty koupili a jejichž úplně první objednávka čehokoli je v těchto dnech.',
    fr: 'Clients qui ont acheté ces produits et dont la toute première commande est dans ces jours.',
  },
  'meaning.product-returning': {
    en: 'Customers who bought these products and are not new.',
    de: 'Kunden, die diese Produkte kauften und nicht neu sind.',
    cs: 'Zákazníci, kteří tyto produkty koupili a nejsou noví.',
    fr: 'Clients qui ont acheté ces produits et ne sont pas nouveaux.',
  },
} as const satisfies Record<string, Message>;
