import type { HostContext, Json, ToolResult } from '../answered.ts';

/**
 * The few messages of MCP Apps (2026-01-26) that a picture needs, over `postMessage` with the page around it.
 */

export interface HostEvents {
  context(context: HostContext): void;
  input(args: Json): void;
  result(result: ToolResult): void;
  cancelled(): void;
}

interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Json;
  readonly result?: Json;
  readonly error?: { readonly message?: string };
}

export class Host {
  readonly #waiting = new Map<number, { resolve(result: Json): void; reject(error: Error): void }>();
  readonly #events: HostEvents;
  #requests = 0;
  /** Whether the host passes on calls of tools. */
  canCall = false;
  #isConnected = false;

  constructor(events: HostEvents) {
    this.#events = events;
    addEventListener('message', ({ source, data }) => {
      // Only the page around it may say what is drawn.
      if (source === parent && data?.jsonrpc === '2.0') this.#receive(data);
    });
  }

  async connect(): Promise<void> {
    const { hostContext, hostCapabilities } = (await this.#request('ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name: 'storesight-chart', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    })) as { hostContext?: HostContext; hostCapabilities?: Json };
    this.canCall = hostCapabilities?.serverTools !== undefined;
    this.#events.context(hostContext ?? {});
    this.#send({ method: 'ui/notifications/initialized', params: {} });
    this.#isConnected = true;
  }

  call(name: string, args: Json): Promise<ToolResult> {
    return this.#request('tools/call', { name, arguments: args }) as Promise<ToolResult>;
  }

  tellSize(width: number, height: number): void {
    if (this.#isConnected) this.#send({ method: 'ui/notifications/size-changed', params: { width, height } });
  }

  #receive({ id, method, params = {}, result, error }: Message): void {
    if (method === undefined) {
      const waiting = this.#waiting.get(Number(id));
      this.#waiting.delete(Number(id));
      if (result !== undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error?.message ?? 'the host refused'));
      return;
    }
    if (id !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      this.#send({
        id,
        ...(isKnown ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }),
      });
      return;
    }
    const events = this.#events;
    if (method === 'ui/notifications/tool-input') events.input((params.arguments ?? {}) as Json);
    if (method === 'ui/notifications/tool-result') events.result(params as ToolResult);
    if (method === 'ui/notifications/tool-cancelled') events.cancelled();
    if (method === 'ui/notifications/host-context-changed') events.context(params as HostContext);
  }

  #request(method: string, params: Json): Promise<Json> {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }
}
