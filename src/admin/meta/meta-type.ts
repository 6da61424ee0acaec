import type { Definitions } from "../fields/definition.ts";

export interface MetaType {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly schema: Definitions;
}
