/** What `nuxt-composables.ts` uses of the bridge, whose own types need those of browsers (`paths` in tsconfig.json). */
declare function connect(options: { service: string; onPage: (page: object) => void }): () => void;
export { connect };
