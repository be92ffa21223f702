import type { Message } from './message.ts';

/** Texts about who manages a store. */
export const TEAM = {
  'team.lead': {
    en: 'A manager of {store} adds data, goes back to earlier versions, and names other managers. Who may read the numbers is decided elsewhere.',
    de: 'Wer {store} verwaltet, fügt Daten hinzu, kehrt zu früheren Versionen zurück und benennt weitere Verwalter. Wer die Zahlen lesen darf, wird anderswo entschieden.',
    cs: 'Správce obchodu {store} přidává data, vrací se k dřívějším verzím a jmenuje další správce. Kdo smí číst čísla, se určuje jinde.',
    fr: 'Un gestionnaire de {store} ajoute des données, revient à des versions antérieures et nomme d’autres gestionnaires. Qui peut lire les chiffres se décide ailleurs.',
  },
  'team.add-title': {
    en: 'Add a manager',
    de: 'Verwalter hinzufügen',
    cs: 'Přidat správce',
    fr: 'Ajouter un gestionnaire',
  },
  'team.nobody-else': {
    en: 'Everybody to whom this store is assigned manages it. Whoever runs this Storesight assigns it to others.',
    de: 'Alle, denen dieser Shop zugeteilt ist, verwalten ihn. Der Betreiber dieses Storesight teilt ihn anderen zu.',
    cs: 'Všichni, komu je tento obchod přidělen, ho spravují. Dalším ho přidělí správce tohoto Storesight.',
    fr: 'Tous ceux à qui cette boutique est attribuée la gèrent. La personne qui gère ce Storesight l’attribue à d’autres.',
  },
  'team.account': {
    en: 'Account to which this store is assigned',
    de: 'Konto, dem dieser Shop zugeteilt ist',
    cs: 'Účet, kterému je tento obchod přidělen',
    fr: 'Compte à qui cette boutique est attribuée',
  },
  'team.make': {
    en: 'Make a manager',
    de: 'Zum Verwalter machen',
    cs: 'Jmenovat správcem',
    fr: 'Nommer gestionnaire',
  },
  'team.you': { en: '(you)', de: '(Sie)', cs: '(vy)', fr: '(vous)' },
  'team.remove': {
    en: 'Remove as manager',
    de: 'Als Verwalter entfernen',
    cs: 'Odebrat správcovství',
    fr: 'Retirer le rôle',
  },
  'team.choose': {
    en: 'Choose an account of the list. It may be a manager by now.',
    de: 'Wählen Sie ein Konto aus der Liste. Vielleicht ist es inzwischen Verwalter.',
    cs: 'Vyberte účet ze seznamu. Možná už mezitím správcem je.',
    fr: 'Choisissez un compte de la liste. Il est peut-être déjà gestionnaire.',
  },
  'team.not-removed': {
    en: 'Nothing was changed: the account manages this store no longer, or nobody else does. Add another manager first.',
    de: 'Es wurde nichts geändert: Das Konto verwaltet diesen Shop nicht mehr, oder niemand sonst tut es. Fügen Sie zuerst einen anderen Verwalter hinzu.',
    cs: 'Nic se nezměnilo: účet už tento obchod nespravuje, nebo ho nespravuje nikdo jiný. Nejdřív přidejte dalšího správce.',
    fr: 'Rien n’a été modifié : le compte ne gère plus cette boutique, ou personne d’autre ne la gère. Ajoutez d’abord un autre gestionnaire.',
  },
  'team.added': {
    en: 'The account manages this store from now on.',
    de: 'Das Konto verwaltet diesen Shop ab jetzt.',
    cs: 'Účet od teď tento obchod spravuje.',
    fr: 'Le compte gère désormais cette boutique.',
  },
  'team.removed': {
    en: 'The account manages this store no longer. What it may read stays.',
    de: 'Das Konto verwaltet diesen Shop nicht mehr. Was es lesen darf, bleibt.',
    cs: 'Účet už tento obchod nespravuje. Co smí číst, zůstává.',
    fr: 'Le compte ne gère plus cette boutique. Ce qu’il peut lire reste.',
  },
} as const satisfies Record<string, Message>;
