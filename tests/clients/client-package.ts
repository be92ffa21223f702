/** A client as its package does what these tests ask; one small file in `packages/` for each. */
export interface ClientPackage {
  /** As the registry has it. */
  readonly name: string;
  readonly version: string;
  /** What must be installed beside it, with versions. */
  readonly beside?: readonly string[];
  /** Why it is not given a connection whose access token is over; without, it is. */
  readonly cannotRefresh?: string;
  connect(place: Place): Promise<ConnectedClient>;
}

export interface Place {
  readonly url: string;
  /** A bearer token that works; without, the provider has a connection. */
  readonly token: string | null;
  /** What official clients know as `OAuthClientProvider`. */
  readonly provider: object;
  /** The folder where the package is. */
  readonly folder: string;
  load(specifier: string): Promise<Record<string, Constructor>>;
}

/** What a package of this folder exports: the test knows its form, and TypeScript has no types of it. */
// biome-ignore lint/suspicious/noExplicitAny: packages of a folder that is made at run time
export type Constructor = any;

export interface ConnectedClient {
  /** Names of tools, without a prefix that the client may put before them. */
  listTools(): Promise<readonly string[]>;
  callTool(name: string, args: object): Promise<Called>;
  close(): Promise<void>;
}

export interface Called {
  readonly isError: boolean;
  /** All that a model would be shown. */
  readonly text: string;
}

/** The result of a tool as the protocol has it. */
export function calledAsIs(result: { readonly isError?: boolean; readonly content?: unknown }): Called {
  return { isError: result.isError === true, text: JSON.stringify(result) };
}
