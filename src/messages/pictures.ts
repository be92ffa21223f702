import type { Message } from './message.ts';

/**
 * Texts of lines and bars next to their numbers. The page in a conversation reads them too, without a library
 * for plurals, so their arguments are plain, as a test makes sure.
 */
export const PICTURES = {
  'picture.not-over': {
    en: 'not over yet',
    de: 'noch nicht zu Ende',
    cs: 'ještě neskončilo',
    fr: 'pas encore terminé',
  },
  'picture.not-yet': {
    en: 'not loaded yet',
    de: 'noch nicht geladen',
    cs: 'zatím nenačteno',
    fr: 'pas encore chargé',
  },
  'picture.before-loaded': {
    en: 'before what is loaded',
    de: 'vor den geladenen Daten',
    cs: 'před načtenými daty',
    fr: 'avant les données chargées',
  },
  'picture.hidden': { en: 'hidden', de: 'verborgen', cs: 'skryto', fr: 'masqué' },
  'picture.unknown': { en: 'unknown', de: 'unbekannt', cs: 'neznámé', fr: 'inconnu' },
  'picture.no-values': { en: 'no values', de: 'keine Werte', cs: 'žádné hodnoty', fr: 'aucune valeur' },
  'picture.none-of': { en: 'no {unit}', de: 'keine {unit}', cs: '{unit}: 0', fr: '{unit} : 0' },
  'picture.count': {
    en: '{count} {unit}',
    de: '{unit}: {count}',
    cs: '{unit}: {count}',
    fr: '{unit} : {count}',
  },
  'picture.of-whole': { en: 'of {whole}', de: '({whole})', cs: '({whole})', fr: '({whole})' },
  'picture.unit.orders': { en: 'orders', de: 'Bestellungen', cs: 'objednávky', fr: 'commandes' },
  'picture.unit.customers': { en: 'customers', de: 'Kunden', cs: 'zákazníci', fr: 'clients' },
  'picture.unit.sessions': { en: 'sessions', de: 'Besuche', cs: 'návštěvy', fr: 'visites' },
  'picture.unit.visitors': { en: 'visitors', de: 'Besucher', cs: 'návštěvníci', fr: 'visiteurs' },
  'picture.week': {
    en: 'W{week}, {start}',
    de: 'KW {week}, {start}',
    cs: '{week}. týden, {start}',
    fr: 'S{week}, {start}',
  },
  'picture.axis-from': {
    en: 'the axis does not begin at 0',
    de: 'die Achse beginnt nicht bei 0',
    cs: 'osa nezačíná nulou',
    fr: 'l’axe ne commence pas à 0',
  },
  'picture.nothing': {
    en: 'There is nothing to draw in this answer.',
    de: 'Hier gibt es nichts zu zeichnen.',
    cs: 'Zde není co kreslit.',
    fr: 'Il n’y a rien à dessiner ici.',
  },
  'picture.nothing-loaded': {
    en: 'Nothing of this kind is loaded yet.',
    de: 'Davon ist noch nichts geladen.',
    cs: 'Nic takového zatím není načteno.',
    fr: 'Rien de tel n’est encore chargé.',
  },
  'picture.loaded-until': {
    en: 'Data are loaded until {moment} ({timezone}).',
    de: 'Daten sind bis {moment} geladen ({timezone}).',
    cs: 'Data jsou načtena do {moment} ({timezone}).',
    fr: 'Les données sont chargées jusqu’au {moment} ({timezone}).',
  },
  'picture.whole-periods': {
    en: 'Along time, whole periods are drawn: {days}.',
    de: 'Gezeichnet sind ganze Zeiträume: {days}.',
    cs: 'Kreslena jsou celá období: {days}.',
    fr: 'Des périodes entières sont dessinées : {days}.',
  },
  'picture.first-order': {
    en: 'The first loaded order is of {moment}; what was before is not known.',
    de: 'Die erste geladene Bestellung ist vom {moment}; was davor war, ist nicht bekannt.',
    cs: 'První načtená objednávka je z {moment}; co bylo předtím, není známo.',
    fr: 'La première commande chargée date du {moment} ; ce qui précède est inconnu.',
  },
  'picture.hatched': {
    en: 'Hatched: not over yet, or not all known; it still changes.',
    de: 'Schraffiert: noch nicht zu Ende oder nicht ganz bekannt; es ändert sich noch.',
    cs: 'Šrafovaně: ještě neskončilo, nebo není známo celé; ještě se změní.',
    fr: 'Hachuré : pas encore terminé, ou pas entièrement connu ; cela change encore.',
  },
  'picture.beside-whole': {
    en: 'What is not over stands beside a period that is whole: do not compare these two.',
    de: 'Was noch nicht zu Ende ist, steht neben einem ganzen Zeitraum: Vergleichen Sie diese beiden nicht.',
    cs: 'Co ještě neskončilo, stojí vedle celého období: tato dvě neporovnávejte.',
    fr: 'Ce qui n’est pas terminé est à côté d’une période entière : ne comparez pas ces deux-là.',
  },
  'picture.so-far': { en: 'so far', de: 'bisher', cs: 'zatím', fr: 'jusqu’ici' },
  'picture.expected': { en: 'expected', de: 'erwartet', cs: 'očekáváno', fr: 'attendu' },
  'picture.few': {
    en: 'Hollow: too few to rely on (a rate of fewer than {few}, or that fewer than {parts} make).',
    de: 'Hohl: zu wenige, um sich darauf zu verlassen (eine Rate von weniger als {few}, oder die weniger als {parts} ausmachen).',
    cs: 'Duté: příliš málo, než aby se na to dalo spolehnout (podíl z méně než {few}, nebo který tvoří méně než {parts}).',
    fr: 'Creux : trop peu pour s’y fier (un taux sur moins de {few}, ou que moins de {parts} produisent).',
  },
  'picture.unrecorded': {
    en: 'Hollow: as many orders as recorded visitors, or more: do not use the rate.',
    de: 'Hohl: Es gab so viele Bestellungen wie erfasste Besucher oder mehr. Viele wurden nicht erfasst: Verwenden Sie diese Rate nicht.',
    cs: 'Duté: objednávek je tolik co zaznamenaných návštěvníků, nebo víc. Mnozí nebyli zaznamenáni: tento podíl nepoužívejte.',
    fr: 'Creux : autant de commandes que de visiteurs enregistrés, ou plus. Beaucoup n’ont pas été enregistrés : n’utilisez pas ce taux.',
  },
  'picture.cut-bar': {
    en: 'Cut off: a hollow bar longer than all to rely on.',
    de: 'Abgeschnitten: ein hohler Balken, der länger wäre als alle, auf die man sich verlassen kann.',
    cs: 'Přerušený: dutý pruh, který by byl delší než všechny, na které se dá spolehnout.',
    fr: 'Coupée : une barre creuse qui serait plus longue que toutes celles auxquelles on peut se fier.',
  },
  'picture.recorded-sessions': {
    en: 'Of recorded visits only: where many are not recorded, the rate is too high.',
    de: 'Nur von erfassten Besuchen: Wo viele nicht erfasst sind, ist die Rate zu hoch.',
    cs: 'Jen ze zaznamenaných návštěv: kde mnohé zaznamenány nejsou, je podíl příliš vysoký.',
    fr: 'Sur les visites enregistrées seulement : si beaucoup ne le sont pas, le taux est trop élevé.',
  },
  'picture.recorded-visitors': {
    en: 'Of recorded visitors only. Other people’s orders are not in the rate, so there are more orders than rate times visitors. Where many are not recorded, the rate is too high.',
    de: 'Wie viele der erfassten Besucher, die es sahen, kauften. Bestellungen von Personen ohne erfassten Besuch sind nicht in der Rate, daher gibt es mehr Bestellungen als Rate mal Besucher. Wo viele nicht erfasst sind, ist die Rate zu hoch.',
    cs: 'Kolik zaznamenaných návštěvníků, kteří to viděli, nakoupilo. Objednávky lidí bez zaznamenané návštěvy v podílu nejsou, a tak je objednávek víc než podíl krát návštěvníci. Kde mnozí zaznamenáni nejsou, je podíl příliš vysoký.',
    fr: 'Combien de visiteurs enregistrés qui l’ont vu ont acheté. Les commandes de personnes sans visite enregistrée ne sont pas dans le taux : il y a donc plus de commandes que le taux multiplié par les visiteurs. Si beaucoup ne sont pas enregistrés, le taux est trop élevé.',
  },
  'picture.hidden-said': {
    en: '“{hidden}”, or dotted: 1 to 4 people, or more from whose number those few could be worked out. A 0 is a 0.',
    de: '„{hidden}“ oder gepunktet: 1 bis 4 Personen oder mehr, aus deren Zahl sich diese wenigen errechnen ließen. Eine 0 ist eine 0.',
    cs: '„{hidden}“ nebo tečkovaně: 1 až 4 lidé, nebo víc lidí, z jejichž počtu by se těch pár dalo dopočítat. 0 je 0.',
    fr: '« {hidden} » ou pointillé : 1 à 4 personnes, ou plus si leur nombre permettait de calculer ces quelques-unes. Un 0 est un 0.',
  },
  'picture.more-in-table': {
    en: 'More in the table.',
    de: 'Mehr in der Tabelle.',
    cs: 'Více v tabulce.',
    fr: 'La suite est dans le tableau.',
  },
  'picture.name': { en: 'Name', de: 'Name', cs: 'Název', fr: 'Nom' },
  'picture.period': { en: 'Period', de: 'Zeitraum', cs: 'Období', fr: 'Période' },
} as const satisfies Record<string, Message>;
