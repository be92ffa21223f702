import type { Business } from '../../src/business/business.ts';
import { takeConnection } from '../../src/control/connections/connection-leases.ts';
import { type Connection, createConnection } from '../../src/control/connections/connections.ts';
import { type RunContext, type RunResult, runConnection } from '../../src/live/run-connection.ts';
import type { TestInstance } from '../support/test-instance.ts';
import { type MadeUpShop, madeUpVendor, PLANTED_KEY } from './made-up-shop.ts';

/** A store of its own that is connected to a made-up shop. */
export class MadeUpConnection {
  readonly test: TestInstance;
  readonly shop: MadeUpShop;
  readonly business: Business;
  readonly connection: Connection;
  /** What was logged: each message with its details. */
  readonly logged: string[] = [];

  private constructor(test: TestInstance, shop: MadeUpShop, business: Business, connection: Connection) {
    this.test = test;
    this.shop = shop;
    this.business = business;
    this.connection = connection;
  }

  static async make(test: TestInstance, shop: MadeUpShop, timezone = 'UTC'): Promise<MadeUpConnection> {
    const { control, secret } = test.instance;
    const business = await test.createBusiness({ currency: 'EUR', timezone });
    const connection = await createConnection(control, secret, {
      ...{ business_id: business.business_id, name: 'made-up', vendor: 'made-up', account: null },
      ...{ settings: { shop: 'example.com' }, secrets: { key: PLANTED_KEY }, interval_s: 900 },
    });
    return new MadeUpConnection(test, shop, business, connection);
  }

  get id(): string {
    return this.connection.connection_id;
  }

  context(more: Partial<RunContext> = {}): RunContext {
    const log = (details: object, message: string) =>
      void this.logged.push(`${message} ${JSON.stringify(details)}`);
    return {
      ...this.test.instance,
      vendors: [madeUpVendor(this.shop)],
      log: { info: log, warn: log, error: log },
      signal: new AbortController().signal,
      ...more,
    };
  }

  /** One turn. */
  async run(more: Partial<RunContext> = {}, now = new Date()): Promise<RunResult | null> {
    const held = await takeConnection(this.test.instance.control, this.id, now);
    if (held === null) throw new Error('somebody holds it');
    return runConnection(this.context(more), held);
  }
}
