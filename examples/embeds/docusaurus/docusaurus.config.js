export default {
  title: "Cluster guide",
  url: "https://example.org",
  baseUrl: "/",
  // Where your copy of the page stands. `try_it` puts a button behind each code block of a shell.
  scripts: [{ src: "https://example.org/sandbatch/embed.js?try_it&site=lab&lang=en&height=360", defer: true }],
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
  themeConfig: { prism: { additionalLanguages: ["bash", "shell-session"] } },
};
