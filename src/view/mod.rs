//! Geometry and formatting of pictures, and line editing: everything the page computes, without a browser.
