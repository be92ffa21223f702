/** A whole program with a model, as people use it; one small file in `hosts/` for each. */
export interface Host {
  /** As the registry has it. */
  readonly name: string;
  readonly version: string;
  /** Writes its settings into `home`, and says how it is started there for one question without a person. */
  command(place: HostPlace): Promise<HostCommand>;
}

export interface HostPlace {
  /** Where its package is installed. */
  readonly folder: string;
  /** An empty folder, which is also where it is started. */
  readonly home: string;
  readonly modelUrl: string;
  readonly mcpUrl: string;
  readonly token: string;
}

interface HostCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
