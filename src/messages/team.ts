import type { Message } from './message.ts';

/** Texts about who manages a store. */
export const TEAM = {
  'team.lead': {
    en: 'Managers of {store} add data, restore earlier versions, change its settings, name other managers, and can delete it. Seeing the numbers is a separate permission: the person who runs this Storesight gives it.',
    de: 'Wer {store} verwaltet, fügt Daten hinzu, stellt frühere Versionen wieder her, ändert Einstellungen, benennt weitere Verwalter und kann den Shop löschen. Die Zahlen zu sehen ist eine eigene Erlaubnis: Der Betreiber dieses Storesight gibt sie.',
    cs: 'Správci obchodu {store} přidávají data, obnovují dřívější verze, mění nastavení, jmenují další správce a mohou obchod smazat. Vidět čísla je samostatné oprávnění: dává ho správce tohoto Storesight.',
    fr: 'Les gestionnaires de {store} ajoutent des données, restaurent des versions antérieures, changent les paramètres, nomment d’autres gestionnaires et peuvent la supprimer. Voir les chiffres est une autorisation à part : la personne qui gère ce Storesight la donne.',
  },
  'team.title': {
    en: 'Managers',
    de: 'Verwalter',
    cs: 'Správci',
    fr: 'Gestionnaires',
  },
  'team.add-title': {
    en: 'Add a manager',
    de: 'Verwalter hinzufügen',
    cs: 'Přidat správce',
    fr: 'Ajouter un gestionnaire',
  },
  'team.nobody-else': {
    en: 'Nobody can be chosen here: everybody with an account for this store manages it already. To add a colleague, ask the person who runs this Storesight (who gave you your account) to give them an account for this store. You can then choose them here.',
    de: 'Hier steht niemand zur Wahl: Alle, die ein Konto für diesen Shop haben, verwalten ihn schon. Um jemanden hinzuzufügen, bitten Sie den Betreiber dieses Storesight (von dem Sie Ihr Konto haben), der Person ein Konto für diesen Shop zu geben. Danach können Sie sie hier wählen.',
    cs: 'Není z koho vybírat: všichni, kdo mají k tomuto obchodu účet, ho už spravují. Chcete-li přidat kolegu, požádejte správce tohoto Storesight (od něhož máte účet), aby mu dal účet k tomuto obchodu. Pak ho tu můžete vybrat.',
    fr: 'Personne à choisir ici : tous ceux qui ont un compte pour cette boutique la gèrent déjà. Pour ajouter un collègue, demandez à la personne qui gère ce Storesight (qui vous a donné votre compte) de lui donner un compte pour cette boutique. Vous pourrez ensuite le choisir ici.',
  },
  'team.account': {
    en: 'Who (people with an account for this store)',
    de: 'Wer (Personen mit einem Konto für diesen Shop)',
    cs: 'Kdo (lidé s účtem k tomuto obchodu)',
    fr: 'Qui (personnes ayant un compte pour cette boutique)',
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
