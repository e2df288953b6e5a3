export default {
  title: "Cluster guide",
  url: "https://example.org",
  baseUrl: "/",
  // The URL of your copy of the page. `try_it` adds a button after each shell code block.
  scripts: [{ src: "https://example.org/sandbatch/embed.js?try_it&site=lab&lang=en&height=360", defer: true }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
  themeConfig: { prism: { additionalLanguages: ["bash", "shell-session"] } },
};
