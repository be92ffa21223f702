import type { triggers } from '../generator/marketing/automation-triggers.ts';
import type { CampaignState } from '../generator/marketing/rows.ts';

/** E-mails (or SMS) that go out when something happens. */
export type Automation = {
  campaign_id: string;
  name: string;
  category: string;
  channel: 'email' | 'sms';
  state: CampaignState;
  /** Local dates: when it was made active, and when it was last changed or stopped. */
  from: string;
  to: string | null;
  trigger: keyof typeof triggers;
  /** Machine name and words of the trigger. */
  type: string;
  description: string;
  re_entry_days: number | null;
  /** Who gets it: subscribers, customers who were never asked too, or everybody whose order it is about. */
  consent: 'given' | 'not refused' | 'not needed';
  /** Further steps are not sent once the customer has ordered. */
  endsWithOrder: boolean;
  appeal: number;
  steps: readonly Step[];
};

type Step = {
  name: string;
  /** The minutes after the trigger. */
  delay_minutes: number;
  /** Null in an SMS, as the button. */
  subject: string | null;
  paragraphs: readonly string[];
  button: readonly [label: string, path: string] | null;
  hasRecommendations?: boolean;
};

const usual = {
  channel: 'email',
  state: 'active',
  to: null,
  re_entry_days: null,
  consent: 'given',
  endsWithOrder: false,
  appeal: 1.2,
} as const;

const hello = 'Ahoj {{first_name}},';
const minutesOfDay = 24 * 60;

/** An automation whose template was changed at this moment, and that has sent nothing since. */
export const broken = {
  campaign_id: 'auto-opusteny-kosik',
  date: '2026-09-16',
  second_of_day: 14 * 3_600 + 12 * 60,
};

export const automations: readonly Automation[] = [
  {
    ...usual,
    campaign_id: 'auto-vitame',
    name: 'Vítací série',
    category: 'welcome',
    from: '2025-03-03',
    trigger: 'subscribed',
    type: 'subscribed',
    description: 'Potvrzené přihlášení k odběru',
    appeal: 1.6,
    steps: [
      {
        name: '1: vítejte a kód',
        delay_minutes: 2,
        subject: 'Vítejte v Kamenici: váš kód WELCOME10',
        paragraphs: [hello, 'děkujeme za odběr. Na první nákup máte slevu 10 % s kódem WELCOME10.'],
        button: ['Nakoupit se slevou', '/'],
      },
      {
        name: '2: jak vybrat',
        delay_minutes: 3 * minutesOfDay,
        subject: 'Jak si u nás vybrat stan',
        paragraphs: [hello, 'první stan je velké rozhodnutí. Sepsali jsme, na co se dívat.'],
        button: ['Jak vybrat stan', '/blog/how-to-choose-a-tent'],
        hasRecommendations: true,
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-potvrzeni-odberu',
    name: 'Potvrzení odběru (double opt-in)',
    category: 'double_opt_in',
    from: '2024-10-01',
    trigger: 'pending',
    type: 'opt_in_confirmation',
    description: 'Přihlášení z popupu čeká na potvrzení',
    consent: 'not needed',
    appeal: 1.9,
    steps: [
      {
        name: 'Potvrzení',
        delay_minutes: 0,
        subject: 'Potvrďte prosím odběr',
        paragraphs: ['Dobrý den,', 'klikněte na tlačítko a odběr bude platit.'],
        button: ['Potvrdit odběr', '/newsletter/potvrdit'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: broken.campaign_id,
    name: 'Opuštěný košík',
    category: 'abandoned_cart',
    from: '2025-02-03',
    to: broken.date,
    trigger: 'cartAbandoned',
    type: 'cart_abandoned',
    description: 'Košík bez objednávky po 60 minutách',
    consent: 'not refused',
    re_entry_days: 3,
    endsWithOrder: true,
    appeal: 1.5,
    steps: [
      {
        name: '1: po hodině',
        delay_minutes: 60,
        subject: 'Něco vám zůstalo v košíku',
        paragraphs: [hello, 'váš košík na vás počká ještě tři dny.'],
        button: ['Dokončit objednávku', '/kosik'],
        hasRecommendations: true,
      },
      {
        name: '2: po dni',
        delay_minutes: minutesOfDay + 60,
        subject: 'Košík ještě čeká, {{first_name}}',
        paragraphs: [hello, 'potřebujete s něčím poradit? Odpovězte na tento e-mail.'],
        button: ['Zpět do košíku', '/kosik'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-prohlizene',
    name: 'Prohlížené produkty',
    category: 'abandoned_browse',
    from: '2025-10-01',
    trigger: 'browseAbandoned',
    type: 'browse_abandoned',
    description: 'Prohlídka produktu bez objednávky',
    re_entry_days: 30,
    steps: [
      {
        name: 'Druhý den',
        delay_minutes: minutesOfDay,
        subject: 'Ještě jste se nerozhodli?',
        paragraphs: [hello, 'tohle jste si u nás prohlíželi, a tohle k tomu lidé kupují.'],
        button: ['Zpět k prohlíženým', '/'],
        hasRecommendations: true,
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-po-nakupu',
    name: 'Po prvním nákupu',
    category: 'post_purchase',
    from: '2025-03-01',
    trigger: 'orderedFirst',
    type: 'order_placed',
    description: 'Deset dní po první objednávce',
    steps: [
      {
        name: 'Péče o výbavu',
        delay_minutes: 10 * minutesOfDay,
        subject: 'Jak se o novou výbavu starat',
        paragraphs: [hello, 'díky za první nákup. Tady je návod, jak výbavě prodloužit život.'],
        button: ['Péče o výbavu', '/blog/packing-for-a-weekend'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-hodnoceni',
    name: 'Prosba o hodnocení',
    category: 'review_request',
    from: '2026-01-12',
    trigger: 'orderedMuch',
    type: 'review',
    description: 'Tři týdny po objednávce nad 1 500 Kč',
    re_entry_days: 60,
    steps: [
      {
        name: 'Hodnocení',
        delay_minutes: 21 * minutesOfDay,
        subject: 'Jak jste spokojeni?',
        paragraphs: [hello, 'napište ostatním, jak se výbava osvědčila.'],
        button: ['Napsat hodnocení', '/hodnoceni'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-k-vybave',
    name: 'K výbavě se hodí',
    category: 'cross_sell',
    from: '2026-03-02',
    trigger: 'orderedCamping',
    type: 'cross_sell',
    description: 'Pět týdnů po nákupu kempování',
    re_entry_days: 90,
    steps: [
      {
        name: 'Doplňky',
        delay_minutes: 35 * minutesOfDay,
        subject: 'K vašemu kempování se hodí',
        paragraphs: [hello, 'kdo koupil totéž co vy, přidal si k tomu tyhle drobnosti.'],
        button: ['Zobrazit doplňky', '/c/camping'],
        hasRecommendations: true,
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-dochazi',
    name: 'Dochází vám nápoj?',
    category: 'replenishment',
    from: '2025-06-02',
    trigger: 'orderedDrink',
    type: 'replenishment',
    description: '40 dní po nákupu regeneračního nápoje',
    steps: [
      {
        name: 'Připomínka',
        delay_minutes: 40 * minutesOfDay,
        subject: 'Dochází vám Recovery Drink?',
        paragraphs: [hello, 'kilo vydrží asi šest týdnů. Doobjednáte jedním kliknutím.'],
        button: ['Doobjednat', '/p/p-recovery-drink'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-winback',
    name: 'Půl roku bez nákupu',
    category: 'winback',
    from: '2026-01-05',
    trigger: 'halfYearOfSilence',
    type: 'inactive',
    description: '180 dní bez objednávky',
    re_entry_days: 180,
    endsWithOrder: true,
    appeal: 0.8,
    steps: [
      {
        name: '1: chybíte nám',
        delay_minutes: 0,
        subject: 'Chybíte nám na stezkách',
        paragraphs: [hello, 'půl roku je dlouhá doba. Podívejte se, co je nového.'],
        button: ['Co je nového', '/'],
        hasRecommendations: true,
      },
      {
        name: '2: sleva',
        delay_minutes: 7 * minutesOfDay,
        subject: 'Sleva 10 % na návrat',
        paragraphs: [hello, 'ať se vám dobře vrací: kód ZPET10 platí dva týdny.'],
        button: ['Využít slevu', '/sale'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-narozeniny',
    name: 'Narozeniny',
    category: 'birthday',
    state: 'paused',
    from: '2025-09-01',
    to: '2026-07-31',
    trigger: 'birthday',
    type: 'birthday',
    description: 'V den narozenin',
    appeal: 1.5,
    steps: [
      {
        name: 'Přání',
        delay_minutes: 0,
        subject: 'Všechno nejlepší, {{first_name}}!',
        paragraphs: [hello, 'přejeme hodně slunce a posíláme dárek k nákupu.'],
        button: ['Vybrat si dárek', '/c/food'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-svatek',
    name: 'Svátek',
    category: 'name_day',
    state: 'terminated',
    from: '2025-09-01',
    to: '2025-12-31',
    trigger: 'nameDay',
    type: 'name_day',
    description: 'V den svátku',
    steps: [
      {
        name: 'Přání',
        delay_minutes: 0,
        subject: 'Dnes slavíte svátek',
        paragraphs: [hello, 'všechno nejlepší k svátku!'],
        button: ['Podívat se do obchodu', '/'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-skladem',
    name: 'Opět skladem',
    category: 'back_in_stock',
    from: '2024-10-01',
    trigger: 'watched',
    type: 'back_in_stock',
    description: 'Hlídaný produkt je skladem',
    appeal: 1.8,
    steps: [
      {
        name: 'Skladem',
        delay_minutes: 0,
        subject: 'Hlídaný produkt je zpět',
        paragraphs: [hello, 'na co jste čekali, je zase skladem. Dlouho nevydrží.'],
        button: ['Zobrazit produkt', '/'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-zlevneno',
    name: 'Zlevnilo, co máte v oblíbených',
    category: 'price_drop',
    from: '2025-09-01',
    trigger: 'wished',
    type: 'price_drop',
    description: 'Pokles ceny oblíbeného produktu',
    re_entry_days: 14,
    steps: [
      {
        name: 'Nižší cena',
        delay_minutes: 0,
        subject: 'Váš oblíbený kousek zlevnil',
        paragraphs: [hello, 'produkt z vašich oblíbených má nižší cenu.'],
        button: ['Podívat se', '/'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-klub',
    name: 'Vítejte v klubu',
    category: 'vip_loyalty',
    from: '2025-01-06',
    trigger: 'orderedFifth',
    type: 'loyalty',
    description: 'Pátá objednávka',
    appeal: 1.5,
    steps: [
      {
        name: 'Klub',
        delay_minutes: minutesOfDay,
        subject: 'Jste v klubu Kamenice',
        paragraphs: [hello, 'pět objednávek! Kód CLUB5 vám od teď platí pořád.'],
        button: ['Výhody klubu', '/klub'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-objednavka',
    name: 'Potvrzení objednávky',
    category: 'transactional',
    from: '2026-07-01',
    trigger: 'ordered',
    type: 'order_confirmation',
    description: 'Přijatá objednávka',
    consent: 'not needed',
    appeal: 2,
    steps: [
      {
        name: 'Potvrzení',
        delay_minutes: 1,
        subject: 'Objednávka {{order_number}} je přijatá',
        paragraphs: ['Dobrý den,', 'objednávku jsme přijali a balíme ji.'],
        button: ['Sledovat objednávku', '/objednavka'],
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-sms-vyzvednuti',
    name: 'SMS: balík k vyzvednutí',
    category: 'transactional',
    channel: 'sms',
    from: '2026-06-01',
    trigger: 'parcelArrived',
    type: 'order_shipped',
    description: 'Balík dorazil na výdejní místo',
    appeal: 1,
    steps: [
      {
        name: 'Vyzvednutí',
        delay_minutes: 0,
        subject: null,
        paragraphs: ['Kamenice Outdoor: balik je na vydejnim miste. PIN %%pin%%. Vyzvednete do 5 dnu.'],
        button: null,
      },
    ],
  },
  {
    ...usual,
    campaign_id: 'auto-sms-kosik',
    name: 'SMS: zapomenutý košík',
    category: 'abandoned_cart',
    channel: 'sms',
    from: '2026-04-01',
    trigger: 'cartAbandoned',
    type: 'cart_abandoned',
    description: 'Košík bez objednávky po 60 minutách',
    re_entry_days: 30,
    endsWithOrder: true,
    appeal: 1,
    steps: [
      {
        name: 'Po třech hodinách',
        delay_minutes: 3 * 60,
        subject: null,
        paragraphs: [
          'Kamenice Outdoor: v kosiku vam neco zustalo. Dokoncete na https://k-o.example.com/kosik STOP: odpovezte STOP',
        ],
        button: null,
      },
    ],
  },
];
