import { ClickHouseError } from '@clickhouse/client';
import { OperatorError } from '../errors.ts';
import type { WarehouseCopier } from '../snapshot/warehouse-copier.ts';
import type { ClickHousePlace } from './clickhouse-connection.ts';

/** What the operating system says of a server that is away. */
const AWAY = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;

/**
 * A copier whose failures say which ClickHouse they are about, so that an operator knows where to look. What
 * ClickHouse writes of an error may hold rows: only the error's name is told, such as `NOT_ENOUGH_SPACE`.
 */
export function sayingWhere({ shards }: ClickHousePlace, copier: WarehouseCopier): WarehouseCopier {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null) throw error;
      throw new OperatorError(`ClickHouse at ${shards.join(', ')} ${reason}`, { cause: error });
    }
  };
  return {
    copy: (...given) => told(copier.copy(...given)),
    remove: (...given) => told(copier.remove(...given)),
    forget: (businessId) => told(copier.forget(businessId)),
    close: () => copier.close(),
  };
}

function reasonOf(error: unknown): string | null {
  if (error instanceof ClickHouseError) return `refused it (${error.type ?? error.code})`;
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  return AWAY.test(code) ? `does not answer (${code}); start it, or see STORESIGHT_WAREHOUSE_URL` : null;
}
