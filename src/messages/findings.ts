import type { Message } from './message.ts';

/** Texts of the page around findings; the sentences of findings come from tools. */
export const FINDINGS = {
  'findings.changed': {
    en: 'What changed',
    de: 'Was sich geändert hat',
    cs: 'Co se změnilo',
    fr: 'Ce qui a changé',
  },
  'findings.look': {
    en: 'What to look at',
    de: 'Worauf zu achten ist',
    cs: 'Na co se podívat',
    fr: 'À regarder',
  },
  'findings.both': {
    en: 'What changed, and what to look at',
    de: 'Was sich geändert hat und worauf zu achten ist',
    cs: 'Co se změnilo a na co se podívat',
    fr: 'Ce qui a changé, et ce qu’il faut regarder',
  },
  'findings.nothing-to-compare': {
    en: 'Choose days to compare with, to see what changed.',
    de: 'Wählen Sie Tage zum Vergleichen, um zu sehen, was sich geändert hat.',
    cs: 'Zvolte dny k porovnání a uvidíte, co se změnilo.',
    fr: 'Choisissez des jours à comparer pour voir ce qui a changé.',
  },
  'findings.whole-store': {
    en: 'This is about the whole store, not about a part of it.',
    de: 'Hier geht es um den ganzen Shop, nicht um einen Teil.',
    cs: 'Toto se týká celého obchodu, ne jeho části.',
    fr: 'Il s’agit de toute la boutique, pas d’une partie.',
  },
  'findings.facts': {
    en: 'Also in these days (facts, not causes)',
    de: 'Außerdem in diesen Tagen (Tatsachen, keine Ursachen)',
    cs: 'Také v těchto dnech (fakta, ne příčiny)',
    fr: 'Aussi pendant ces jours (des faits, pas des causes)',
  },
  'findings.largest': {
    en: 'The largest parts of the difference',
    de: 'Die größten Teile des Unterschieds',
    cs: 'Největší části rozdílu',
    fr: 'Les plus grandes parties de la différence',
  },
  'findings.stands-out': {
    en: 'Moved unlike all the rest',
    de: 'Hat sich anders entwickelt als alles übrige',
    cs: 'Vyvíjelo se jinak než vše ostatní',
    fr: 'A évolué autrement que tout le reste',
  },
  'findings.apart': {
    en: 'The difference told apart',
    de: 'Der Unterschied aufgeteilt',
    cs: 'Rozdíl rozložený na části',
    fr: 'La différence décomposée',
  },
  'findings.adds-up': {
    en: 'The parts of one table add up to the whole difference. Do not add up parts of two tables.',
    de: 'Die Teile einer Tabelle ergeben zusammen den ganzen Unterschied. Zählen Sie keine Teile aus zwei Tabellen zusammen.',
    cs: 'Části jedné tabulky dávají dohromady celý rozdíl. Nesčítejte části dvou tabulek.',
    fr: 'Les parties d’un tableau font ensemble toute la différence. N’additionnez pas des parties de deux tableaux.',
  },
  'findings.part': { en: 'Part', de: 'Teil', cs: 'Část', fr: 'Partie' },
  'findings.difference': { en: 'Difference', de: 'Unterschied', cs: 'Rozdíl', fr: 'Différence' },
  'findings.by.visits': {
    en: 'By visits, orders and their value',
    de: 'Nach Besuchen, Bestellungen und ihrem Wert',
    cs: 'Podle návštěv, objednávek a jejich hodnoty',
    fr: 'Par visites, commandes et leur valeur',
  },
  'findings.by.customers': {
    en: 'By new and returning customers',
    de: 'Nach neuen und wiederkehrenden Kunden',
    cs: 'Podle nových a vracejících se zákazníků',
    fr: 'Par nouveaux clients et clients qui reviennent',
  },
  'findings.by.products': {
    en: 'By price, pieces and choice of products',
    de: 'Nach Preis, Stückzahl und Auswahl der Produkte',
    cs: 'Podle ceny, počtu kusů a skladby produktů',
    fr: 'Par prix, quantité et choix des produits',
  },
  'findings.by.channel': { en: 'By channel', de: 'Nach Kanal', cs: 'Podle kanálu', fr: 'Par canal' },
  'findings.by.country': { en: 'By country', de: 'Nach Land', cs: 'Podle země', fr: 'Par pays' },
  'findings.watched': {
    en: 'Looked at: {days}.',
    de: 'Betrachtet: {days}.',
    cs: 'Posuzováno: {days}.',
    fr: 'Jours regardés : {days}.',
  },
  'findings.besides': {
    en: 'Beside what is to be checked, day by day:',
    de: 'Außer dem, was zu prüfen ist, Tag für Tag:',
    cs: 'Kromě toho, co je třeba prověřit, den po dni:',
    fr: 'En dehors de ce qui est à vérifier, jour par jour :',
  },
  'findings.unusual': { en: 'Unusual', de: 'Ungewöhnlich', cs: 'Neobvyklé', fr: 'Inhabituel' },
  'findings.check-first': {
    en: 'Check these first',
    de: 'Zuerst prüfen',
    cs: 'Nejdřív prověřte',
    fr: 'À vérifier d’abord',
  },
} as const satisfies Record<string, Message>;
