// Holds the style sheets to the scales in www/tokens.css: other sheets contain no colour, font size, spacing, corner radius
// or duration of their own.
const LENGTHS = ["px", "em", "rem", "ch", "pt"];

export default {
  extends: "stylelint-config-recommended",
  rules: {
    // Sheets are ordered by part of the page, not by specificity.
    "no-descending-specificity": null,
    "no-unknown-custom-properties": true,
    "color-named": "never",
    "color-no-hex": true,
    "function-disallowed-list": ["oklch", "oklab", "lch", "lab", "hsl", "hsla", "hwb", "rgb", "rgba", "color"],
    "declaration-property-unit-disallowed-list": {
      "/^(font|font-size|line-height)$/": [...LENGTHS, "%"],
      "/^(margin|padding)/": LENGTHS,
      "/gap$/": LENGTHS,
      "/radius$/": [...LENGTHS, "%"],
      "/^(transition|animation)/": ["s", "ms"],
    },
  },
  referenceFiles: ["www/tokens.css", "www/page.css"],
  overrides: [
    {
      files: ["www/tokens.css"],
      rules: { "function-disallowed-list": null },
    },
  ],
};
