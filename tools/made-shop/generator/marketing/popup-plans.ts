import type { ConsentChannel } from '../tables.ts';
import type { CampaignState } from './rows.ts';

/** Who sees a popup, and what comes of it. */
export type PopupPlan = {
  campaign_id: string;
  name: string;
  category: 'popup_lead' | 'popup_info';
  state: CampaignState;
  from: string;
  to: string | null;
  headline: string;
  text: string;
  fields: string[];
  /** The channel that is subscribed to. */
  channel: ConsentChannel | null;
  audience: 'strangers' | 'customers' | 'everybody';
  /** Share of the sessions of the audience in which it appears. */
  shown: number;
  /** One in this many of those who see it and could subscribe does. */
  submitsEvery: number;
};

/** The name is what consent events of the shop itself give as their source, see consents.ts. */
const welcome: PopupPlan = {
  campaign_id: 'popup-welcome',
  name: 'Welcome 10 %',
  category: 'popup_lead',
  state: 'active',
  from: '2024-10-01',
  to: null,
  headline: 'Sleva 10 % na první nákup',
  text: 'Přihlaste se k odběru a pošleme vám kód WELCOME10.',
  fields: ['email'],
  channel: 'email',
  audience: 'strangers',
  shown: 0.16,
  submitsEvery: 28,
};

/** The popup that is submitted most often by those who see it. */
export const bestPopup = 'popup-exit';

export const popupPlans: readonly PopupPlan[] = [
  welcome,
  {
    campaign_id: 'popup-soutez-stan',
    name: 'Soutěž o stan Oskava',
    category: 'popup_lead',
    state: 'finished',
    from: '2025-06-01',
    to: '2025-07-15',
    headline: 'Vyhrajte stan na léto',
    text: 'Stačí zadat e-mail. Výherce vylosujeme 16. července.',
    fields: ['email', 'first_name'],
    channel: 'email',
    audience: 'strangers',
    shown: 0.05,
    submitsEvery: 26,
  },
  {
    campaign_id: bestPopup,
    name: 'Počkejte: 100 Kč na cestu',
    category: 'popup_lead',
    state: 'active',
    from: '2026-02-01',
    to: null,
    headline: 'Než odejdete: 100 Kč na první objednávku',
    text: 'Kód pošleme e-mailem. Platí sedm dní.',
    fields: ['email'],
    channel: 'email',
    audience: 'strangers',
    shown: 0.06,
    submitsEvery: 17,
  },
  {
    campaign_id: 'popup-doprava',
    name: 'Doprava zdarma nad 1 500 Kč',
    category: 'popup_info',
    state: 'archived',
    from: '2025-10-01',
    to: '2026-03-31',
    headline: 'Doprava zdarma nad 1 500 Kč',
    text: 'Chybí vám kousek? Doplňte ponožky nebo tyčinky.',
    fields: [],
    channel: null,
    audience: 'everybody',
    shown: 0.01,
    submitsEvery: 0,
  },
  {
    campaign_id: 'popup-sms-klub',
    name: 'SMS klub',
    category: 'popup_lead',
    state: 'paused',
    from: '2026-05-01',
    to: '2026-08-31',
    headline: 'Slevy dřív než ostatní, do telefonu',
    text: 'Nejvýš dvě zprávy za měsíc.',
    fields: ['phone'],
    channel: 'sms',
    audience: 'customers',
    shown: 0.6,
    submitsEvery: 24,
  },
];
