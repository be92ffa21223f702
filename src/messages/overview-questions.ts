import type { Message } from './message.ts';

/** Questions that a reader of the overview may copy into an app. */
export const OVERVIEW_QUESTIONS = {
  'questions.title': {
    en: 'Questions for your AI app',
    de: 'Fragen für Ihre KI-App',
    cs: 'Otázky pro vaši AI aplikaci',
    fr: 'Questions pour votre application d’IA',
  },
  'questions.how': {
    en: 'Copy one into an app that is connected. A click selects all of it.',
    de: 'Kopieren Sie eine in eine verbundene App. Ein Klick markiert die ganze Frage.',
    cs: 'Zkopírujte některou do připojené aplikace. Kliknutím ji označíte celou.',
    fr: 'Copiez-en une dans une application connectée. Un clic la sélectionne en entier.',
  },
  'questions.revenue-higher': {
    en: 'In the store “{store}”, {days}: why was revenue higher than in {before}? Which products, channels and customers made the difference?',
    de: 'Im Shop „{store}“, {days}: Warum war der Umsatz höher als in {before}? Welche Produkte, Kanäle und Kunden machten den Unterschied?',
    cs: 'V obchodě „{store}“, {days}: proč byly tržby vyšší než v období {before}? Které produkty, kanály a zákazníci způsobili rozdíl?',
    fr: 'Dans la boutique « {store} », {days} : pourquoi le chiffre d’affaires a-t-il été plus élevé que pour {before} ? Quels produits, canaux et clients ont fait la différence ?',
  },
  'questions.revenue-lower': {
    en: 'In the store “{store}”, {days}: why was revenue lower than in {before}? Which products, channels and customers made the difference?',
    de: 'Im Shop „{store}“, {days}: Warum war der Umsatz niedriger als in {before}? Welche Produkte, Kanäle und Kunden machten den Unterschied?',
    cs: 'V obchodě „{store}“, {days}: proč byly tržby nižší než v období {before}? Které produkty, kanály a zákazníci způsobili rozdíl?',
    fr: 'Dans la boutique « {store} », {days} : pourquoi le chiffre d’affaires a-t-il été plus bas que pour {before} ? Quels produits, canaux et clients ont fait la différence ?',
  },
  'questions.product': {
    en: 'In the store “{store}”, {days}: who bought the product “{name}”, what else did they buy, and do they come back?',
    de: 'Im Shop „{store}“, {days}: Wer kaufte das Produkt „{name}“, was kauften sie noch, und kommen sie wieder?',
    cs: 'V obchodě „{store}“, {days}: kdo koupil produkt „{name}“, co dalšího si koupil a vrací se?',
    fr: 'Dans la boutique « {store} », {days} : qui a acheté le produit « {name} », qu’ont-ils acheté d’autre, et reviennent-ils ?',
  },
  'questions.channel': {
    en: 'In the store “{store}”, {days}: what did the channel “{name}” bring in orders and new customers beside the other channels, and what did it cost?',
    de: 'Im Shop „{store}“, {days}: Was brachte der Kanal „{name}“ an Bestellungen und Neukunden im Vergleich zu den anderen, und was kostete er?',
    cs: 'V obchodě „{store}“, {days}: kolik objednávek a nových zákazníků přinesl kanál „{name}“ ve srovnání s ostatními a kolik stál?',
    fr: 'Dans la boutique « {store} », {days} : qu’a apporté le canal « {name} » en commandes et en nouveaux clients par rapport aux autres, et combien a-t-il coûté ?',
  },
  'questions.campaign': {
    en: 'In the store “{store}”, {days}: how did the e-mail campaign “{name}” do beside the others, for each message sent?',
    de: 'Im Shop „{store}“, {days}: Wie lief die E-Mail-Kampagne „{name}“ im Vergleich zu den anderen, je gesendeter Nachricht?',
    cs: 'V obchodě „{store}“, {days}: jak si vedla e-mailová kampaň „{name}“ ve srovnání s ostatními na jednu odeslanou zprávu?',
    fr: 'Dans la boutique « {store} », {days} : comment a marché la campagne e-mail « {name} » par rapport aux autres, par message envoyé ?',
  },
  'questions.new': {
    en: 'In the store “{store}”, {days}: what did new customers buy first, and how many came back since?',
    de: 'Im Shop „{store}“, {days}: Was kauften Neukunden zuerst, und wie viele kamen seitdem wieder?',
    cs: 'V obchodě „{store}“, {days}: co si noví zákazníci koupili jako první a kolik se jich od té doby vrátilo?',
    fr: 'Dans la boutique « {store} », {days} : qu’ont acheté d’abord les nouveaux clients, et combien sont revenus depuis ?',
  },
  'questions.visits': {
    en: 'In the store “{store}”, {days}: which channels brought orders, and what did each order of them cost?',
    de: 'Im Shop „{store}“, {days}: Welche Kanäle brachten Bestellungen, und was kostete jede davon?',
    cs: 'V obchodě „{store}“, {days}: které kanály přinesly objednávky a kolik každá z nich stála?',
    fr: 'Dans la boutique « {store} », {days} : quels canaux ont apporté des commandes, et combien a coûté chacune ?',
  },
  'questions.refunds': {
    en: 'In the store “{store}”, {days}: what was paid back, and does it differ from the months before?',
    de: 'Im Shop „{store}“, {days}: Was wurde erstattet, und unterscheidet es sich von den Monaten davor?',
    cs: 'V obchodě „{store}“, {days}: co bylo vráceno zákazníkům a liší se to od předchozích měsíců?',
    fr: 'Dans la boutique « {store} », {days} : qu’est-ce qui a été remboursé, et est-ce différent des mois précédents ?',
  },
  'questions.email': {
    en: 'In the store “{store}”, {days}: which e-mails brought the most revenue for each message?',
    de: 'Im Shop „{store}“, {days}: Welche E-Mails brachten den meisten Umsatz je Nachricht?',
    cs: 'V obchodě „{store}“, {days}: které e-maily přinesly nejvíce tržeb na jednu zprávu?',
    fr: 'Dans la boutique « {store} », {days} : quels e-mails ont rapporté le plus par message ?',
  },
} as const satisfies Record<string, Message>;
