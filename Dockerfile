# The service as an image. The site is a volume at /site; every setting can be given as a variable (docs/settings.md).
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY bin bin
COPY scripts scripts
COPY src src
COPY content content
COPY media media
COPY templates templates
COPY starters starters
COPY docs docs
COPY cms.config.yaml CHANGELOG.md LICENSE ./
RUN npm ci
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

FROM node:22-slim
# git for `cms serve --sync` and `cms setup`, ssh for remotes, git-lfs for media in Git LFS.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git git-lfs openssh-client \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /app /app
RUN ln -s /app/bin/cms.cjs /usr/local/bin/cms && mkdir /site && chown node:node /site
ENV NODE_ENV=production
USER node
WORKDIR /site
VOLUME /site
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["cms"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--production", "--log", "json"]
