/** The paths of the pages. `prefix` is the path of the issuer, empty if it has none. */
export function pagePaths(prefix: string) {
  return {
    styles: `${prefix}/styles.css`,
    icon: `${prefix}/icon.svg`,
    signIn: `${prefix}/sign-in`,
    signOut: `${prefix}/sign-out`,
    /** Begins the sign-in through another identity provider, and where that returns to. */
    identityProvider: `${prefix}/sign-in/provider`,
    identityProviderReturn: `${prefix}/sign-in/provider/return`,
    consent: (uid: string) => `${prefix}/consent/${uid}`,
    apps: `${prefix}/connections`,
    appAccess: (grantId: string) => `${prefix}/connections/${grantId}`,
    revokeApp: (grantId: string) => `${prefix}/connections/${grantId}/revoke`,
    connect: `${prefix}/connect`,
    stores: `${prefix}/stores`,
    newStore: `${prefix}/stores/new`,
    store: (businessId: string) => `${prefix}/stores/${businessId}`,
    overview: (businessId: string) => `${prefix}/stores/${businessId}/overview`,
    /** The page with sentences about the same days. */
    findings: (businessId: string) => `${prefix}/stores/${businessId}/overview/findings`,
    /** The picture of a card or a list; `name` is its key with `.svg`. */
    overviewPicture: (businessId: string, name: string) =>
      `${prefix}/stores/${businessId}/overview/pictures/${name}`,
    overviewCsv: (businessId: string) => `${prefix}/stores/${businessId}/overview.csv`,
    settings: (businessId: string) => `${prefix}/stores/${businessId}/settings`,
    addCost: (businessId: string) => `${prefix}/stores/${businessId}/settings/costs`,
    removeCost: (businessId: string) => `${prefix}/stores/${businessId}/settings/costs/remove`,
    /** Asks whether a store is to be deleted, and deletes it. */
    deleteStore: (businessId: string) => `${prefix}/stores/${businessId}/delete`,
    uploads: (businessId: string) => `${prefix}/stores/${businessId}/uploads`,
    upload: (businessId: string, uploadId: string) => `${prefix}/stores/${businessId}/uploads/${uploadId}`,
    /** What is done to an upload: `files` adds some. `map` is also a page. */
    uploadDo: (
      businessId: string,
      uploadId: string,
      what: 'files' | 'remove' | 'check' | 'map' | 'publish' | 'stop' | 'discard',
    ) => `${prefix}/stores/${businessId}/uploads/${uploadId}/${what}`,
    /** The rejected rows of an upload, as a file. */
    rejectedRows: (businessId: string, uploadId: string) =>
      `${prefix}/stores/${businessId}/uploads/${uploadId}/rejected-rows.csv`,
    pastImport: (businessId: string, snapshotId: string) =>
      `${prefix}/stores/${businessId}/imports/${snapshotId}`,
    goBack: (businessId: string, snapshotId: string) =>
      `${prefix}/stores/${businessId}/imports/${snapshotId}/serve`,
    connections: (businessId: string) => `${prefix}/stores/${businessId}/sources`,
    newConnection: (businessId: string, vendor: string) =>
      `${prefix}/stores/${businessId}/sources/new/${vendor}`,
    connection: (businessId: string, connectionId: string) =>
      `${prefix}/stores/${businessId}/sources/${connectionId}`,
    /** What is done to a connection of a store. `key`, `gone` and `remove` are also pages. */
    connectionDo: (
      businessId: string,
      connectionId: string,
      what: 'sync' | 'pause' | 'resume' | 'answer' | 'compare' | 'gone' | 'key' | 'remove',
    ) => `${prefix}/stores/${businessId}/sources/${connectionId}/${what}`,
    managers: (businessId: string) => `${prefix}/stores/${businessId}/managers`,
    removeManager: (businessId: string) => `${prefix}/stores/${businessId}/managers/remove`,
    password: `${prefix}/password`,
    passwordLink: (link: string) => `${prefix}/password/${link}`,
  } as const;
}

export type PagePaths = ReturnType<typeof pagePaths>;
