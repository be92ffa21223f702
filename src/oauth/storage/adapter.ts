import type { Adapter, AdapterFactory } from 'oidc-provider';
import type { ControlDatabase } from '../../control/database/control-database.ts';
import { Clients } from './clients.ts';
import { Grants } from './grants.ts';
import { Records } from './records.ts';

/** Where oidc-provider keeps its state: the control database, one class for each way of keeping it. */
export function createAdapter(control: ControlDatabase, secret: Buffer, resource: string): AdapterFactory {
  return (kind) => {
    if (kind === 'Client') return new Clients(control, secret) as unknown as Adapter;
    if (kind === 'Grant') return new Grants(control, resource) as unknown as Adapter;
    return new Records(control, secret, kind);
  };
}
